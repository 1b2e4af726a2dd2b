# Asks the verifier code of a real Agent World Model server: argv its `server` folder, a JSON file of cases (name, form,
# code), initial and final database. Prints what it made of each: the label, and what the verifier returned.
import importlib.util
import json
import sys

server, cases, initial, final = sys.argv[1:5]
spec = importlib.util.spec_from_file_location('awm_verifier', f'{server}/verifier.py')
awm = importlib.util.module_from_spec(spec)
spec.loader.exec_module(awm)


def told(value):
    """As Interject writes what JavaScript's JSON cannot hold."""
    if isinstance(value, dict):
        return {key: told(each) for key, each in value.items()}
    if isinstance(value, list):
        return [told(each) for each in value]
    if isinstance(value, float) and (value != value or abs(value) == float('inf')):
        return json.dumps(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53 - 1:
        return str(value)
    return value


with open(cases) as file:
    for case in json.load(file):
        entry = {'verification': {'code': case['code']}}
        label, details = awm.run_verifier(entry, case['form'], initial, final, None)
        if label == 'judge_error':
            result = None
        else:
            result = details['raw_result'] if case['form'] == 'code' else details
        print(json.dumps({'name': case['name'], 'label': label, 'result': told(result)}))
