# Holds a listening socket as systemd does, and passes it as descriptor 3 to one server process after another. For each
# line on stdin it stops the old process, starts the next and prints a line. The first line of output is the port.
import os
import signal
import socket
import subprocess
import sys

holder = socket.create_server(("127.0.0.1", 0), backlog=511)
os.dup2(holder.fileno(), 3)
print(holder.getsockname()[1], flush=True)
child = None


def end():
    if child:
        child.send_signal(signal.SIGTERM)
        return child.wait()


for _ in sys.stdin:
    code = end()
    child = subprocess.Popen(
        sys.argv[1:],
        pass_fds=(3,),
        env={**os.environ, "LISTEN_FDS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    while "Ctrl+C stops" not in child.stdout.readline():
        pass
    print("up", code, flush=True)
end()
