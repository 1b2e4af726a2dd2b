# What this Python does otherwise than the one that verifiers were written for: the runner of the Agent World Model
# server, on CPython 3.11. A verifier that comes across such a difference may swallow it and answer `others`, so each one
# is written down here as it happens, and the run then ends without a verdict.
import __future__
import ast
import io
import re
import sys
import time
import tokenize
import types
import zoneinfo

# What the runner lets a verifier import: these and whatever is in them, but of urllib this part alone.
ALLOWED = frozenset(
    '_strptime base64 binascii bisect calendar collections contextlib copy csv dataclasses dateutil datetime decimal '
    'difflib enum fractions functools hashlib heapq io ipaddress itertools json math operator pprint pytz re sqlite3 '
    'statistics string textwrap time traceback typing unicodedata urllib.parse uuid zoneinfo'.split()
)

# Absent from 3.11: a verifier that uses one of these fails there.
NEW_NAMES = {
    'base64': 'z85decode z85encode',
    'calendar': 'APRIL AUGUST DECEMBER FEBRUARY JANUARY JULY JUNE MARCH MAY NOVEMBER OCTOBER SEPTEMBER Day Month',
    'collections.abc': 'Buffer',
    'copy': 'replace',
    'csv': 'QUOTE_NOTNULL QUOTE_STRINGS',
    'datetime.date': 'strptime',
    'datetime.time': 'strptime',
    'decimal': 'IEEEContext IEEE_CONTEXT_MAX_BITS',
    'decimal.Decimal': 'from_number',
    'enum': 'EnumDict',
    'fractions.Fraction': 'from_number is_integer',
    'functools': 'Placeholder',
    'heapq': 'heapify_max heappop_max heappush_max heappushpop_max heapreplace_max',
    'io': 'Reader Writer',
    'itertools': 'batched',
    'math': 'fma sumprod',
    'operator': 'is_none is_not_none',
    're': 'PatternError',
    'sqlite3': 'LEGACY_TRANSACTION_CONTROL',
    'statistics': 'kde kde_random',
    'typing': 'NoDefault ReadOnly TypeAliasType TypeIs evaluate_forward_ref get_protocol_members is_protocol override',
    'uuid': 'MAX NIL uuid6 uuid7 uuid8',
}
NEW_NAMES = {module: frozenset(names.split()) for module, names in NEW_NAMES.items()}

# What strptime knows in 3.11, and what strftime gives alike in both C libraries.
STRPTIME = frozenset('aAbBcdfHIjmMpSUwWxXyYzZGuV%')
STRFTIME = frozenset('aAbBcCdDeFgGhHIjmMnprRsStTuUVwWxXyYzZ%')
DIRECTIVE = re.compile(r'%([-_0^#]?\d*[EO:]*)(.?)', re.S)
# SQLite's since 3.40, or of Debian's build; the one in here is older.
NEWER_SQL = re.compile(
    r'no such function: (concat|concat_ws|if|json_pretty|jsonb\w*|octet_length|soundex|string_agg|subtype|timediff'
    r'|unhex|unistr|unistr_quote)$|syntax error|no such table: jsonb_',
    re.I,
)

# Said where a size does not fit: here from 2 GiB on, in 64 bits never.
NARROW = re.compile(r'index-sized integer|C ssize_t')

# Modules whose names a verifier can look for.
NAMED_ROOTS = frozenset(module.split('.')[0] for module in ALLOWED)

MISSING = 'module_missing'
DIFFERS = 'runner_differs'
VERIFIER_FILE = '<verifier>'


class Differences:
    """The first difference a verifier came across: its kind and what it is, in words; None for none."""

    def __init__(self, has_all_zones):
        self.first = None
        self.has_all_zones = has_all_zones

    def add(self, kind, message):
        if self.first is None:
            self.first = (kind, message)

    def watch(self):
        """Sees every exception that is raised from now on, those that are caught included."""
        monitoring = sys.monitoring
        monitoring.use_tool_id(monitoring.OPTIMIZER_ID, 'verifier')
        monitoring.register_callback(monitoring.OPTIMIZER_ID, monitoring.events.RAISE, self.raised)
        monitoring.set_events(monitoring.OPTIMIZER_ID, monitoring.events.RAISE)
        watch_dates(self)

    def unwatch(self):
        sys.monitoring.free_tool_id(sys.monitoring.OPTIMIZER_ID)

    def raised(self, code, offset, error):
        if isinstance(error, MemoryError):
            self.add('memory', 'it used more memory than it may')
        elif isinstance(error, RecursionError):
            self.add(DIFFERS, 'it went deeper than this Python can')
        elif isinstance(error, OverflowError) and NARROW.search(str(error)):
            self.add(DIFFERS, f'this Python counts in 32 bits: {error}')
        elif isinstance(error, zoneinfo.ZoneInfoNotFoundError) and not self.has_all_zones:
            self.add(DIFFERS, f'this computer does not know the time zone {error}')
        elif code.co_filename == VERIFIER_FILE:
            self.raised_in_verifier(error)

    def raised_in_verifier(self, error):
        text = str(error)
        if isinstance(error, ImportError):
            if text.startswith('cannot import name') and str(error.name).split('.')[0] in NAMED_ROOTS:
                self.add(MISSING, text)
        elif isinstance(error, AttributeError):
            module = error.obj.__name__ if isinstance(error.obj, types.ModuleType) else ''
            if module.split('.')[0] in NAMED_ROOTS and not str(error.name).startswith('_'):
                self.add(DIFFERS, f'{text} in this Python')
        elif type(error).__module__ == 'sqlite3':
            if 'you supplied a sequence' in text or NEWER_SQL.search(text):
                self.add(DIFFERS, f'SQLite here answered: {text}')
        elif isinstance(error, ValueError) and text.startswith('unsupported hash type'):
            self.add(DIFFERS, text)

    def imported(self, module, names):
        for name in names:
            if name in NEW_NAMES.get(module, ()):
                self.add(DIFFERS, f'Python 3.11 has no {module}.{name}')


def watch_dates(differences):
    import _strptime

    parse, give = _strptime._strptime, time.strftime

    def strptime(data_string, format='%a %b %d %H:%M:%S %Y'):
        known = all(not extra and letter in STRPTIME for extra, letter in DIRECTIVE.findall(format))
        if not known:
            differences.add(DIFFERS, f'Python 3.11 does not parse the date format {format!r}')
        return parse(data_string, format)

    def strftime(format, *when):
        if not all(extra in ('', '-', '_', '0') and letter in STRFTIME for extra, letter in DIRECTIVE.findall(format)):
            differences.add(DIFFERS, f'the date format {format!r} gives another text here')
        return give(format, *when)

    _strptime._strptime = strptime
    time.strftime = strftime


def compile_as_311(code, differences):
    """Compiles a verifier; notes what 3.11 would not compile."""
    try:
        tree = ast.parse(code, VERIFIER_FILE, feature_version=(3, 11))
    except SyntaxError:
        # A fault in any version is the verifier's own; otherwise only later ones read it.
        tree = ast.parse(code, VERIFIER_FILE)
        differences.add(DIFFERS, 'Python 3.11 does not read its syntax')
    if has_newer_strings(code):
        differences.add(DIFFERS, 'Python 3.11 does not read its f-strings')
    find_new_names(tree, differences)
    # The runner postpones its annotations, and code it compiles inherits that: none is ever evaluated.
    return compile(tree, VERIFIER_FILE, 'exec', __future__.annotations.compiler_flag, dont_inherit=True)


def find_new_names(tree, differences):
    known = {'sqlite3': 'sqlite3', 're': 're'}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known.update({each.asname: each.name for each in node.names if each.asname})
            known.update({each.name.split('.')[0]: each.name.split('.')[0] for each in node.names if not each.asname})
        elif isinstance(node, ast.ImportFrom):
            known.update({each.asname or each.name: f'{node.module}.{each.name}' for each in node.names})
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            first, *rest = ast.unparse(node.value).split('.')
            if first in known:
                differences.imported('.'.join([known[first], *rest]), [node.attr])


def has_newer_strings(code):
    """Before 3.12 an expression within an f-string holds neither its quotes nor a backslash, a comment, a line's end."""
    open_quotes = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            text = token.string
            if token.type == tokenize.FSTRING_END:
                open_quotes.pop()
                continue
            outer = open_quotes[:-1] if token.type == tokenize.FSTRING_MIDDLE else open_quotes
            for quotes in outer:
                ends_line = len(quotes) == 1 and '\n' in text
                if quotes in text or '\\' in text or ends_line or token.type == tokenize.COMMENT:
                    return True
            if token.type == tokenize.FSTRING_START:
                open_quotes.append(text.lstrip('fFrR'))
    except (tokenize.TokenError, SyntaxError):
        pass
    return False
