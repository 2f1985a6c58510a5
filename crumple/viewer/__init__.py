"""The viewer: all states of one run or two in the browser."""
