# Runs verifiers in CPython, each in a process of its own that the system limits. Argv: a JSON file of their code, the
# final database, MiB of memory, seconds. Prints of each whether it gave a verdict, broke, or met a limit.
import json
import subprocess
import sys

RUN = """
import json, resource, sys
path, database, memory = sys.argv[1:4]
scope = {}
exec(open(path).read(), scope)
resource.setrlimit(resource.RLIMIT_AS, (int(memory) << 20, int(memory) << 20))
try:
    said = {'outcome': 'verdict', 'result': scope['verify_task_completion'](database, database)}
except MemoryError:
    said = {'outcome': 'memory'}
except BaseException as broken:
    said = {'outcome': 'error', 'type': type(broken).__name__}
print(json.dumps(said))
"""

cases, database, memory, seconds = sys.argv[1:5]
with open(cases) as file:
    for code in json.load(file):
        with open(f'{cases}.py', 'w') as script:
            script.write(code)
        command = [sys.executable, '-c', RUN, f'{cases}.py', database, memory]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=float(seconds))
            print(ended.stdout.strip() or json.dumps({'outcome': f'ended with {ended.returncode}', 'said': ended.stderr[-500:]}))
        except subprocess.TimeoutExpired:
            print(json.dumps({'outcome': 'timeout'}))
