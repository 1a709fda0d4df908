"""What the portal measures about itself: numbers of each process, in files of a common folder, read at `/metrics`."""
