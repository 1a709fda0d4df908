"""A client for the API of a Ziggurat portal: requests, streams of moves, and a base class for bots."""

from ziggurat_client.bots import AsyncBot, Bot
from ziggurat_client.client import AsyncClient, Client
from ziggurat_client.problems import Lost, Problem
from ziggurat_client.records import Event, Position

__all__ = ["AsyncBot", "AsyncClient", "Bot", "Client", "Event", "Lost", "Position", "Problem"]
