// Ways from Python to JavaScript, each as the body of a verifier. Every one climbs over the list of builtins first, which
// is no lock. It returns what it found of JavaScript, or nothing.

/** The real builtins and modules, and ways to hold JavaScript's objects. */
export const AROUND = `
modules = None
for cls in ().__class__.__base__.__subclasses__():
    init = getattr(cls, '__init__', None)
    scope = getattr(init, '__globals__', None)
    if scope and 'sys' in scope and hasattr(scope['sys'], 'modules'):
        modules = scope['sys'].modules
        break
real = modules['builtins']
sys = modules['sys']
imported = lambda name: real.__import__('importlib').import_module(name)
is_proxy = lambda value: 'JsProxy' in [cls.__name__ for cls in type(value).__mro__]
def finder():
    return [each for each in sys.meta_path if hasattr(each, 'jsproxies')][0]
def proxies():
    return [each for each in finder().jsproxies.values() if is_proxy(each)]
def core():
    return real.__import__('_pyodide_core')
`;

/** By what they are, what they do. */
export const ATTACKS: Readonly<Record<string, string>> = {
  'the finder of JavaScript modules on sys.meta_path': `return str(finder().jsproxies['pyodide_js'].version)`,
  'array buffers through that finder':
    `api = finder().jsproxies['pyodide_js']\nbuffer = api._module.HEAP8.buffer.constructor\n` +
    `kept = [buffer.new(64 * 1024 * 1024) for _ in range(48)]\nreturn sum(each.byteLength for each in kept)`,
  'a finder made anew': `return dir(finder().find_spec('pyodide_js', None).loader.create_module(None))`,
  'a finder found among all objects': `gc = real.__import__('gc')\nfor each in gc.get_objects():\n    if isinstance(each, dict) and 'pyodide_js' in each:\n        return str(each['pyodide_js'].version)\nreturn nothing`,
  'import js': `return dir(real.__import__('js'))`,
  'import pyodide_js': `return dir(real.__import__('pyodide_js'))`,
  'importlib.import_module': `return dir(imported('js'))`,
  'pyodide.code.run_js': `return str(imported('pyodide.code').run_js('globalThis'))`,
  'pyodide.code.eval_code': `return str(imported('pyodide.code').eval_code('import js; dir(js)', {}))`,
  'pyodide.ffi.to_js': `return str(core().to_js([1]).constructor)`,
  'pyodide.ffi.create_proxy': `return str(core().create_proxy([1]).constructor)`,
  'pyodide.ffi.create_once_callable': `return str(core().create_once_callable(print))`,
  'pyodide.ffi.run_sync': `async def soon():\n    return 1\nreturn str(core().run_sync(soon()))`,
  'pyodide.ffi.register_js_module': `finder().register_js_module('x', proxies()[0])\nreturn dir(real.__import__('x'))`,
  'the core’s functions, each in turn': `said = []\nfor name in dir(core()):\n    value = getattr(core(), name)\n    if callable(value) and not isinstance(value, type):\n        try:\n            said.append(str(value([1])))\n        except BaseException as error:\n            said.append(type(error).__name__)\nreturn [each for each in said if 'object' in each or 'function' in each]`,
  'a big integer for JavaScript': `return str(core().to_js([2 ** 70]))`,
  'bytes for JavaScript': `return str(core().to_js(b'x' * 1000).byteLength)`,
  'an object of JavaScript that the garbage collector knows': `gc = real.__import__('gc')\nfor each in gc.get_objects() + [held for one in gc.get_objects() if isinstance(one, dict) for held in list(one.values())]:\n    if is_proxy(each):\n        return str(each.constructor)\nreturn nothing`,
  'reading attributes of what is found': `return [dir(each) for each in proxies()]`,
  'writing to what is found': `proxies()[0].x = 1\nreturn 'written'`,
  'calling what is found': `return str(proxies()[-1]())`,
  'removing from what is found': `del proxies()[0].x\nreturn 'removed'`,
  'comparing what is found': `return proxies()[0] == proxies()[1]`,
  'printing what is found': `return repr(proxies()[0])`,
  'counting what is found': `return len(proxies()[0])`,
  'going through what is found': `return [str(each) for each in proxies()[0]]`,
  'asking what is found whether it is true': `return bool(proxies()[0])`,
  'taking bytes from what is found': `return proxies()[0].to_bytes()`,
  'returning what is found': `return {'result': proxies()[0]}`,
  'the classes of JavaScript’s objects': `found = [cls for cls in real.object.__subclasses__() if cls.__name__ == 'JsProxy']\nreturn str(found[0].new(5)) if found else str(type(proxies()[0]).new(5))`,
  'the frames above': `frame = sys._getframe()\nwhile frame is not None:\n    for scope in (frame.f_locals, frame.f_globals):\n        for value in list(scope.values()):\n            if is_proxy(value):\n                return str(value.constructor)\n    frame = frame.f_back\nreturn nothing`,
  'the frames of a traceback': `try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    frame = error.__traceback__.tb_frame.f_back\n    while frame is not None:\n        for value in list(frame.f_globals.values()):\n            if hasattr(value, 'js_id') or is_proxy(value):\n                return str(value.constructor)\n        frame = frame.f_back\nreturn nothing`,
  'the names of the harness': `scope = __builtins__['__import__'].__globals__ if isinstance(__builtins__, dict) else {}\nfor value in list(scope.values()) + list(scope['__builtins__'].values() if isinstance(scope.get('__builtins__'), dict) else vars(real).values()):\n    if is_proxy(value):\n        return str(value.constructor)\nreturn nothing`,
  'exceptions that came from JavaScript': `gc = real.__import__('gc')\nfor each in [sys.exc_info()[1], getattr(sys, 'last_exc', None)] + [o for o in gc.get_objects() if isinstance(o, BaseException)]:\n    held = getattr(each, 'js_error', None) or getattr(each, 'args', None)\n    for value in held or ():\n        if is_proxy(value):\n            return str(value.constructor)\nreturn nothing`,
  'an exception that goes to JavaScript': `frame = sys._getframe()\nwhile frame.f_back is not None:\n    frame = frame.f_back\nraise core().JsException('x')`,
  'the event loop': `asyncio = real.__import__('asyncio')\nloop = imported('pyodide.webloop').WebLoop()\nloop.call_later(0, print, 'x')\nreturn str(loop)`,
  'a trace of what the harness does next': `def trace(frame, event, arg):\n    return trace\nsys.settrace(trace)\nsys.setprofile(lambda *each: proxies() and proxies()[0].constructor)\nreturn nothing`,
  'a finalizer': `weakref = real.__import__('weakref')\nclass Late:\n    def __del__(self):\n        core().to_js([1])\nLate()\nreturn nothing`,
  'ctypes, a function of the interpreter': `ctypes = real.__import__('ctypes')\nreturn ctypes.pythonapi.Py_IsInitialized()`,
  'ctypes, a function of JavaScript': `ctypes = real.__import__('ctypes')\nreturn ctypes.CDLL(None).emscripten_run_script_int(b'1')`,
  'ctypes, a callback': `ctypes = real.__import__('ctypes')\nreturn str(ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 5)())`,
  'ctypes, a library of its own memory': `path = '/tmp/lib.so'\nreal.open(path, 'wb').write(bytes.fromhex('0061736d0100000000090864796c696e6b2e3005040100010000'))\nreturn str(real.__import__('ctypes').CDLL(path))`,
  'an extension module from a file': `real.open('/tmp/own.so', 'wb').write(bytes.fromhex('0061736d0100000000'))\nmachinery = imported('importlib.machinery')\nutil = imported('importlib.util')\nspec = util.spec_from_file_location('own', '/tmp/own.so', loader=machinery.ExtensionFileLoader('own', '/tmp/own.so'))\nreturn str(util.module_from_spec(spec))`,
  'a socket': `socket = real.__import__('socket')\nmade = socket.socket()\nmade.connect(('127.0.0.1', 9))\nreturn str(made)`,
  'a request': `return str(imported('urllib.request').urlopen('http://127.0.0.1:9/').read())`,
  'pyodide.http': `return str(imported('pyodide.http').open_url('http://127.0.0.1:9/').read())`,
  'a program': `os = modules['os']\nreturn nothing if os.system('id') != 0 else 'ran'`,
  'a thread': `return str(real.__import__('_thread').start_new_thread(print, ('x',)))`,
  'an interpreter beside this one': `made = real.__import__('_interpreters').create()\nreturn str(real.__import__('_interpreters').exec(made, 'import js; js.x'))`,
  'the files of the system': `os = modules['os']\nreturn [each for each in os.listdir('/') if each in ('etc', 'root', 'usr', 'bin')] or nothing`,
  'the devices it is locked with': `for _ in range(3):\n    with real.open('/dev/lock', 'wb', buffering=0) as device:\n        device.write(b'0')\nreturn str(core().to_js([1]).constructor)`,
  'bytecode that is none': `def f():\n    return 1\nf.__code__ = f.__code__.replace(co_code=bytes([100, 250, 83, 0] * 8), co_stacksize=1)\nf()\nreturn nothing`,
};
