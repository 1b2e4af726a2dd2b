# Owns: calling one verifier inside the sandbox. What it may import and which builtins it has are named here; the lock
# itself is the process around it.
import builtins
import json
import os.path
import sys
import types
import zoneinfo

zoneinfo.reset_tzpath(['/zones'])

ALLOWED = frozenset(
    'abc base64 binascii bisect calendar collections contextlib copy csv dataclasses datetime decimal difflib enum '
    'fractions functools hashlib heapq hmac html io itertools json locale math numbers operator pprint random re '
    'sqlite3 statistics string struct textwrap time traceback types typing unicodedata urllib uuid warnings zoneinfo '
    '__future__'.split()
)
# Submodules of an allowed package that reach further than the package.
REFUSED = frozenset(['urllib.request', 'urllib.robotparser', 'urllib.error', 'urllib.response'])
WITHHELD = frozenset(
    'open exec eval compile input breakpoint exit quit help copyright credits license __import__ __loader__ __spec__'.split()
)

path_only = types.ModuleType('os')
path_only.path = os.path
path_only.sep = os.path.sep

real_import = builtins.__import__


def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
    if level == 0 and name in ('os', 'os.path'):
        return os.path if name == 'os.path' and fromlist else path_only
    if level != 0 or name.split('.')[0] not in ALLOWED or name in REFUSED:
        raise ImportError(f'a verifier may not import {name}')
    return real_import(name, globals, locals, fromlist, level)


def harness(code, final_answer, output_max):
    for name in [n for n in sys.modules if n.split('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')]:
        del sys.modules[name]
    allowed = {name: value for name, value in vars(builtins).items() if name not in WITHHELD}
    allowed['__import__'] = guarded_import
    scope = {'__builtins__': allowed, '__name__': 'verifier'}
    try:
        exec(builtins.compile(code, '<verifier>', 'exec'), scope)
        name = next((n for n in scope if n.startswith('verify_') and isinstance(scope[n], types.FunctionType)), None)
        if name is None:
            return reply(failed='error', message='it defines no function whose name begins with verify_')
        function = scope[name]
        known = {
            'initial_db_path': '/data/initial.db',
            'final_db_path': '/data/final.db',
            'final_answer': final_answer,
        }
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        result = function(**{n: known[n] for n in names if n in known})
    except MemoryError:
        return reply(failed='memory', message='it used more memory than it may')
    except BaseException as error:
        line = next((f.lineno for f in reversed(frames(error)) if f.filename == '<verifier>'), None)
        place = '' if line is None else f' (line {line})'
        return reply(failed='error', message=f'{type(error).__name__}: {error}'[:1000] + place)
    try:
        text = json.dumps(result, default=str, allow_nan=False)
    except BaseException as error:
        return reply(failed='error', message=f'its result is no JSON: {error}'[:1000])
    if len(text) > output_max:
        return reply(failed='output', message='its result is larger than it may be')
    return reply(function=name, result=result)


def frames(error):
    import traceback

    return list(traceback.extract_tb(error.__traceback__))


def reply(**fields):
    return json.dumps(fields, default=str)


harness
