"""Three real clients at a server with room for one: `python drive_full_world.py URL`. One JSON object a line."""

import json
import sys
import time

from openenv.core.generic_client import GenericEnvClient


def attempt(name: str, client: GenericEnvClient) -> bool:
    try:
        env = client.sync()
        env.connect()
        env.state()
        print(json.dumps({"client": name, "ok": True}), flush=True)
        return True
    except Exception as error:
        print(json.dumps({"client": name, "raised": str(error)}), flush=True)
        return False


def main() -> None:
    url = sys.argv[1]
    first = GenericEnvClient(base_url=url)
    attempt("first", first)
    attempt("second", GenericEnvClient(base_url=url))
    first.sync().close()
    time.sleep(0.5)
    third = GenericEnvClient(base_url=url)
    attempt("third, after the first has closed", third)
    third.sync().close()


if __name__ == "__main__":
    main()
