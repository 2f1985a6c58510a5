"""The lab's commands, one file each. They may import all of the lab; nothing of it imports them."""
