# Calls one verifier as the runner of the Agent World Model server does: the same imports, builtins, names in reach,
# way to find and call its function, and reading of what it returned. The lock itself is the process around it.
import builtins
import inspect
import json
import os
import os.path
import re
import sqlite3
import sys
import traceback
import types
import zipfile
import zoneinfo

ZONES = '/usr/share/zoneinfo'
PACKAGES = '/packages'

BUILTINS = frozenset(
    'False None True __build_class__ abs all any ascii bin bool bytearray bytes callable chr complex delattr dict dir '
    'divmod enumerate filter float format frozenset getattr globals hasattr hex id int isinstance issubclass iter len '
    'list locals map max memoryview min next oct ord pow print range repr reversed round set setattr slice sorted str '
    'sum tuple type vars zip '
    'ArithmeticError AssertionError AttributeError BaseException BufferError DeprecationWarning Exception '
    'FloatingPointError ImportError IndexError KeyError LookupError NotImplementedError OverflowError RuntimeError '
    'StopIteration TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning '
    'ZeroDivisionError'.split()
)
# JavaScript's numbers are exact up to here.
EXACT_MAX = 2**53 - 1


class PathOnly:
    path = os.path


def guarded_import(differences):
    real_import = builtins.__import__
    path_only = PathOnly()

    def guarded(name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0 and (name == 'os' or name.startswith('os.')):
            return path_only
        if level != 0 or (name.split('.')[0] not in ALLOWED and name not in ALLOWED):
            raise ImportError(f'a verifier may not import {name}')
        try:
            module = real_import(name, globals, locals, fromlist, level)
        except ImportError as error:
            differences.add(MISSING, f'the module {name} cannot be imported here: {error}')
            raise
        differences.imported(name, fromlist or ())
        return module

    return guarded


def harness():
    request = take_request()
    for name in [n for n in sys.modules if n.split('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')]:
        del sys.modules[name]
    zoneinfo.reset_tzpath([ZONES])
    open_packages()
    differences = Differences(request['has_all_zones'])
    # From here on no value passes between Python and JavaScript, for good.
    write_at_once('/dev/lock', b'1')
    reply = run(request['code'], request['final_answer'], differences)
    sys.stdout.flush()
    if differences.first is not None:
        kind, message = differences.first
        reply = {'failed': kind, 'message': message[:1000]}
    write_at_once('/dev/reply', json.dumps(reply).encode())


def take_request():
    with open('/request.json', encoding='utf-8') as file:
        request = json.load(file)
    os.remove('/request.json')
    return request


def write_at_once(path, content):
    with open(path, 'wb', buffering=0) as device:
        device.write(content)


def open_packages():
    if not os.path.isdir(PACKAGES):
        return
    for name in os.listdir(PACKAGES):
        if name.endswith('.whl'):
            with zipfile.ZipFile(f'{PACKAGES}/{name}') as wheel:
                wheel.extractall(PACKAGES)
    sys.path.append(PACKAGES)


def run(code, final_answer, differences):
    allowed = {name: vars(builtins)[name] for name in BUILTINS if name in vars(builtins)}
    allowed['__import__'] = guarded_import(differences)
    scope = {
        'sqlite3': sqlite3,
        'json': json,
        're': re,
        '__builtins__': allowed,
        '__name__': '__main__',
        '_AWM_SANDBOX_USER': True,
    }
    try:
        program = compile_as_311(code, differences)
        name = function_name(code)
        differences.watch()
        try:
            exec(program, scope)
            function = scope.get(name)
            if not callable(function):
                return {'failed': 'error', 'message': f'it defines no function {name}'}
            result = call(function, final_answer)
        finally:
            differences.unwatch()
        return {'function': name, 'verdict': verdict(result), 'result': exact(result)}
    except MemoryError:
        return {'failed': 'memory', 'message': 'it used more memory than it may'}
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == VERIFIER_FILE), None)
        place = '' if line is None else f' (line {line})'
        return {'failed': 'error', 'message': f'{type(error).__name__}: {error}'[:1000] + place}


def function_name(code):
    """The first definition that looks like a verifier's, wherever it stands in the text."""
    for line in code.split('\n'):
        text = line.strip()
        if text.startswith('def verify_') and '(' in text:
            return text.split('(')[0].replace('def ', '').strip()
    return 'verify_task_completion'


def call(function, final_answer):
    parameters = inspect.signature(function).parameters
    known = {
        'initial_db_path': '/data/initial.db',
        'final_db_path': '/data/final.db',
        'final_answer': final_answer or '',
    }
    named = {name: value for name, value in known.items() if name in parameters}
    if named or len(parameters) < 2:
        return function(**named)
    return function(*list(known.values())[: min(len(parameters), 3)])


def verdict(result):
    """What the code form means by it; None where it is no verdict at all."""
    if not isinstance(result, dict) or 'result' not in result:
        return None
    return 'complete' if result['result'] == 'complete' else 'others'


def plain(value):
    if isinstance(value, dict):
        return {str(key) if isinstance(key, tuple) else key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.decode('utf-8', errors='ignore')
    try:
        json.dumps(value)
        return value
    except TypeError:
        return str(value)


def exact(result):
    """JSON as the runner writes it; what JavaScript cannot hold (large integers, NaN) as its text."""

    def integer(text):
        return int(text) if abs(int(text)) <= EXACT_MAX else text

    return json.loads(json.dumps(plain(result), default=str), parse_int=integer, parse_constant=str)


harness()
