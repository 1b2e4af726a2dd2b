"""Three real clients at a server with room for one: `python drive_full_world.py URL`. One JSON object a line."""

import json
import sys
import time

from openenv.core.generic_client import GenericEnvClient


def attempt(client: GenericEnvClient) -> str | None:
    """Why the client could not use the server, None when it could."""
    try:
        env = client.sync()
        env.connect()
        env.state()
        return None
    except Exception as error:
        return str(error)


def say(name: str, raised: str | None) -> None:
    print(json.dumps({"client": name, "ok": True} if raised is None else {"client": name, "raised": raised}), flush=True)


def main() -> None:
    url = sys.argv[1]
    first = GenericEnvClient(base_url=url)
    say("first", attempt(first))
    say("second", attempt(GenericEnvClient(base_url=url)))
    first.sync().close()
    deadline = time.monotonic() + 10
    while (raised := attempt(third := GenericEnvClient(base_url=url))) and time.monotonic() < deadline:
        time.sleep(0.1)
    say("third, after the first has closed", raised)
    third.sync().close()


if __name__ == "__main__":
    main()
