# Runs one verifier natively: argv code file, initial database, final database, answer ("-" for none). Prints its result.
import inspect
import json
import sys

code, initial, final, answer = sys.argv[1:5]
scope = {}
exec(open(code).read(), scope)
function = next(value for name, value in scope.items() if name.startswith('verify_'))
known = {
    'initial_db_path': initial,
    'final_db_path': final,
    'final_answer': None if answer == '-' else answer,
}
print(json.dumps(function(**{n: known[n] for n in inspect.signature(function).parameters if n in known})))
