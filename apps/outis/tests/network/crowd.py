"""Opens connections and sends nothing.

Usage: crowd.py ADDRESS PORT COUNT
"""

import socket
import sys
import time

address, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
held = [socket.create_connection((address, port)) for _ in range(count)]
print("ready", flush=True)
while held:
    time.sleep(60)
