"""Serves an app on a free port of this machine and prints the port."""

import socket
from typing import Any

import uvicorn


def serve(app: Any) -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
