# What the runner of the Agent World Model server keeps from a verifier, and what it leaves: imports, then builtins.
def verify_task_completion(initial_db_path, final_db_path):
    found = {}
    try:
        import abc
        found["import abc"] = "there"
    except Exception as error:
        found["import abc"] = type(error).__name__
    try:
        import hmac
        found["import hmac"] = "there"
    except Exception as error:
        found["import hmac"] = type(error).__name__
    try:
        import html
        found["import html"] = "there"
    except Exception as error:
        found["import html"] = type(error).__name__
    try:
        import locale
        found["import locale"] = "there"
    except Exception as error:
        found["import locale"] = type(error).__name__
    try:
        import numbers
        found["import numbers"] = "there"
    except Exception as error:
        found["import numbers"] = type(error).__name__
    try:
        import random
        found["import random"] = "there"
    except Exception as error:
        found["import random"] = type(error).__name__
    try:
        import struct
        found["import struct"] = "there"
    except Exception as error:
        found["import struct"] = type(error).__name__
    try:
        import types
        found["import types"] = "there"
    except Exception as error:
        found["import types"] = type(error).__name__
    try:
        import warnings
        found["import warnings"] = "there"
    except Exception as error:
        found["import warnings"] = type(error).__name__
    try:
        import sys
        found["import sys"] = "there"
    except Exception as error:
        found["import sys"] = type(error).__name__
    try:
        import importlib
        found["import importlib"] = "there"
    except Exception as error:
        found["import importlib"] = type(error).__name__
    try:
        import socket
        found["import socket"] = "there"
    except Exception as error:
        found["import socket"] = type(error).__name__
    try:
        import subprocess
        found["import subprocess"] = "there"
    except Exception as error:
        found["import subprocess"] = type(error).__name__
    try:
        import urllib
        found["import urllib"] = "there"
    except Exception as error:
        found["import urllib"] = type(error).__name__
    try:
        import urllib.request
        found["import urllib.request"] = "there"
    except Exception as error:
        found["import urllib.request"] = type(error).__name__
    try:
        import urllib.error
        found["import urllib.error"] = "there"
    except Exception as error:
        found["import urllib.error"] = type(error).__name__
    try:
        import logging
        found["import logging"] = "there"
    except Exception as error:
        found["import logging"] = type(error).__name__
    try:
        import tempfile
        found["import tempfile"] = "there"
    except Exception as error:
        found["import tempfile"] = type(error).__name__
    try:
        import pathlib
        found["import pathlib"] = "there"
    except Exception as error:
        found["import pathlib"] = type(error).__name__
    try:
        import http
        found["import http"] = "there"
    except Exception as error:
        found["import http"] = type(error).__name__
    try:
        import secrets
        found["import secrets"] = "there"
    except Exception as error:
        found["import secrets"] = type(error).__name__
    try:
        import threading
        found["import threading"] = "there"
    except Exception as error:
        found["import threading"] = type(error).__name__
    try:
        import six
        found["import six"] = "there"
    except Exception as error:
        found["import six"] = type(error).__name__
    try:
        import tzdata
        found["import tzdata"] = "there"
    except Exception as error:
        found["import tzdata"] = type(error).__name__
    try:
        from urllib import parse
        found["from urllib import parse"] = "there"
    except Exception as error:
        found["from urllib import parse"] = type(error).__name__
    try:
        from os import environ
        found["from os import environ"] = "there"
    except Exception as error:
        found["from os import environ"] = type(error).__name__
    try:
        from os.path import exists
        found["from os.path import exists"] = "there"
    except Exception as error:
        found["from os.path import exists"] = type(error).__name__
    try:
        import os
        os.environ
        found["import os; os.environ"] = "there"
    except Exception as error:
        found["import os; os.environ"] = type(error).__name__
    try:
        import os
        os.sep
        found["import os; os.sep"] = "there"
    except Exception as error:
        found["import os; os.sep"] = type(error).__name__
    try:
        import os
        os.path.join("a", "b")
        found["import os; os.path.join(\"a\", \"b\")"] = "there"
    except Exception as error:
        found["import os; os.path.join(\"a\", \"b\")"] = type(error).__name__
    try:
        from os import path
        path.basename("a/b")
        found["from os import path; path.basename(\"a/b\")"] = "there"
    except Exception as error:
        found["from os import path; path.basename(\"a/b\")"] = type(error).__name__
    try:
        import os.path as p
        p.exists("x")
        found["import os.path as p; p.exists(\"x\")"] = "there"
    except Exception as error:
        found["import os.path as p; p.exists(\"x\")"] = type(error).__name__
    try:
        object
        found["object"] = "there"
    except Exception as error:
        found["object"] = type(error).__name__
    try:
        super
        found["super"] = "there"
    except Exception as error:
        found["super"] = type(error).__name__
    try:
        property
        found["property"] = "there"
    except Exception as error:
        found["property"] = type(error).__name__
    try:
        classmethod
        found["classmethod"] = "there"
    except Exception as error:
        found["classmethod"] = type(error).__name__
    try:
        staticmethod
        found["staticmethod"] = "there"
    except Exception as error:
        found["staticmethod"] = type(error).__name__
    try:
        hash
        found["hash"] = "there"
    except Exception as error:
        found["hash"] = type(error).__name__
    try:
        open
        found["open"] = "there"
    except Exception as error:
        found["open"] = type(error).__name__
    try:
        eval
        found["eval"] = "there"
    except Exception as error:
        found["eval"] = type(error).__name__
    try:
        exec
        found["exec"] = "there"
    except Exception as error:
        found["exec"] = type(error).__name__
    try:
        compile
        found["compile"] = "there"
    except Exception as error:
        found["compile"] = type(error).__name__
    try:
        input
        found["input"] = "there"
    except Exception as error:
        found["input"] = type(error).__name__
    try:
        NameError
        found["NameError"] = "there"
    except Exception as error:
        found["NameError"] = type(error).__name__
    try:
        OSError
        found["OSError"] = "there"
    except Exception as error:
        found["OSError"] = type(error).__name__
    try:
        SystemExit
        found["SystemExit"] = "there"
    except Exception as error:
        found["SystemExit"] = type(error).__name__
    try:
        MemoryError
        found["MemoryError"] = "there"
    except Exception as error:
        found["MemoryError"] = type(error).__name__
    try:
        RecursionError
        found["RecursionError"] = "there"
    except Exception as error:
        found["RecursionError"] = type(error).__name__
    try:
        KeyboardInterrupt
        found["KeyboardInterrupt"] = "there"
    except Exception as error:
        found["KeyboardInterrupt"] = type(error).__name__
    try:
        NotImplemented
        found["NotImplemented"] = "there"
    except Exception as error:
        found["NotImplemented"] = type(error).__name__
    try:
        Ellipsis
        found["Ellipsis"] = "there"
    except Exception as error:
        found["Ellipsis"] = type(error).__name__
    try:
        __debug__
        found["__debug__"] = "there"
    except Exception as error:
        found["__debug__"] = type(error).__name__
    try:
        iter
        found["iter"] = "there"
    except Exception as error:
        found["iter"] = type(error).__name__
    try:
        callable
        found["callable"] = "there"
    except Exception as error:
        found["callable"] = type(error).__name__
    try:
        id
        found["id"] = "there"
    except Exception as error:
        found["id"] = type(error).__name__
    try:
        vars
        found["vars"] = "there"
    except Exception as error:
        found["vars"] = type(error).__name__
    try:
        dir
        found["dir"] = "there"
    except Exception as error:
        found["dir"] = type(error).__name__
    try:
        globals
        found["globals"] = "there"
    except Exception as error:
        found["globals"] = type(error).__name__
    try:
        locals
        found["locals"] = "there"
    except Exception as error:
        found["locals"] = type(error).__name__
    return {"result": "complete", "found": found}
