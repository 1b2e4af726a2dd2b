# One use of every module that the runner of the Agent World Model server lets verifiers import, each inside
# `except Exception` as verifiers have it, so that a module that fails does not show as an error.


def use_strptime(now):
    import _strptime
    out = [hasattr(_strptime, "TimeRE"), _strptime._strptime_time("04 Jul 2026", "%d %b %Y").tm_yday]
    return out


def use_datetime(now):
    from datetime import datetime, date, timedelta, timezone
    placed = datetime.strptime(now.execute("SELECT made_at FROM items WHERE id = 3").fetchone()[0], "%Y-%m-%d %H:%M:%S")
    out = [placed.isoformat(), placed.strftime("%A %d %B %Y, %I:%M %p"), str(placed - datetime(2026, 1, 1)), date(2024, 2, 29).isoformat(),
           datetime.fromisoformat("2026-07-04T03:15:00+02:00").astimezone(timezone.utc).isoformat(), (placed + timedelta(weeks=1)).strftime("%j %U")]
    return out


def use_time(now):
    import time
    out = [time.strftime("%Y-%m-%d", time.strptime("04 Jul 2026", "%d %b %Y")), time.gmtime(0).tm_year, time.localtime(86400).tm_mday, time.mktime(time.gmtime(86400))]
    return out


def use_zoneinfo(now):
    from datetime import datetime
    from zoneinfo import ZoneInfo, available_timezones
    city = "New_York"
    out = [datetime(2026, 7, 1, 12, tzinfo=ZoneInfo(z)).strftime("%Z %z") for z in ("UTC", "America/" + city, "Asia/Kathmandu")] + ["Europe/Paris" in available_timezones(), str(datetime(2026, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")).dst())]
    return out


def use_calendar(now):
    import calendar
    out = [calendar.monthrange(2024, 2), calendar.month_name[7], calendar.day_abbr[0], calendar.timegm((2026, 1, 1, 0, 0, 0)), calendar.isleap(1900)]
    return out


def use_dateutil(now):
    from dateutil import parser, tz
    from dateutil.relativedelta import relativedelta
    from dateutil.rrule import rrule, MONTHLY
    start = parser.parse("July 4th, 2026 3:15pm")
    out = [start.isoformat(), (start + relativedelta(months=+8)).isoformat(), [d.day for d in rrule(MONTHLY, count=3, dtstart=start)],
           start.replace(tzinfo=tz.gettz("Europe/Berlin")).isoformat(), parser.isoparse("2026-02-03T04:05:06Z").isoformat()]
    return out


def use_pytz(now):
    import pytz
    from datetime import datetime
    zone = pytz.timezone("America/Los_Angeles")
    out = [zone.localize(datetime(2026, 7, 1, 12)).isoformat(), zone.localize(datetime(2026, 1, 1, 12)).strftime("%Z"), pytz.utc.zone, pytz.UnknownTimeZoneError.__name__, len(pytz.country_timezones["de"])]
    return out


def use_ipaddress(now):
    import ipaddress
    out = [str(ipaddress.ip_address("10.0.0.255") + 1), ipaddress.ip_address("192.168.1.7") in ipaddress.ip_network("192.168.0.0/16"), str(ipaddress.ip_network("2001:db8::/62").num_addresses)]
    return out


def use_sqlite3(now):
    rows = now.execute("SELECT id, title, amount FROM items ORDER BY amount DESC, title COLLATE NOCASE").fetchall()
    now.row_factory = sqlite3.Row
    row = now.execute("SELECT *, json_extract('{\"a\": [1, 2]}', '$.a[1]') AS j, date(made_at, '+1 month') AS later FROM items WHERE title LIKE ? LIMIT 1", ("ch%",)).fetchone()
    out = [rows, dict(row), now.execute("SELECT count(*), sum(amount), avg(amount), group_concat(title, '|') FROM items").fetchone()[:], now.execute("SELECT rank() OVER (ORDER BY amount) FROM items").fetchall()[0][0]]
    out[2] = list(out[2])
    return out


def use_json(now):
    import json
    try:
        json.loads("{bad")
    except json.JSONDecodeError as error:
        message = str(error)
    out = [json.dumps({"ü": [1.5, None, True]}, sort_keys=True, ensure_ascii=False), json.loads('{"a": 1e3}'), message]
    return out


def use_re(now):
    import re
    out = [re.findall(r"(?i)\b(chair|table)s?\b", "Two chairs and a Table."), re.sub(r"(\w+) (\w+)", r"\2 \1", "a b"), re.split(r"[,;]\s*", "a, b;c"), bool(re.fullmatch(r"\d{3}-(?P<x>\d+)", "123-4"))]
    return out


def use_math(now):
    import math
    out = [math.isclose(sum([0.1] * 10), 1.0), math.floor(-1.5), math.comb(5, 2), math.sqrt(2), math.log(10), math.hypot(3, 4), math.nan != math.nan, math.fsum([0.1] * 10)]
    return out


def use_decimal(now):
    from decimal import Decimal, ROUND_HALF_UP, InvalidOperation
    try:
        Decimal("x")
    except InvalidOperation as error:
        kind = type(error).__name__
    out = [str(Decimal("0.1") + Decimal("0.2")), str(Decimal("2.675").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)), str(Decimal(1) / Decimal(7)), kind]
    return out


def use_fractions(now):
    from fractions import Fraction
    out = [str(Fraction("0.125") + Fraction(1, 3)), Fraction(0.5).denominator, str(Fraction(3.1415926).limit_denominator(100))]
    return out


def use_collections(now):
    from collections import Counter, defaultdict, OrderedDict, namedtuple, deque, ChainMap
    P = namedtuple("P", "x y")
    d = defaultdict(list); d["a"].append(1)
    out = [Counter("banana").most_common(2), dict(d), P(1, 2)._asdict(), list(deque([1, 2, 3], maxlen=2)), dict(ChainMap({"a": 1}, {"b": 2})), list(OrderedDict(b=1, a=2))]
    return out


def use_collections_abc(now):
    import collections.abc
    from collections.abc import Mapping, Iterable
    out = [isinstance({}, Mapping), isinstance("x", Iterable), issubclass(list, collections.abc.Sequence)]
    return out


def use_itertools(now):
    import itertools
    out = [[(k, len(list(g))) for k, g in itertools.groupby(sorted("banana"))], list(itertools.chain([1], [2])), list(itertools.combinations("abc", 2))[:2], list(itertools.accumulate([1, 2, 3])), list(itertools.pairwise([1, 2, 3]))]
    return out


def use_functools(now):
    from functools import reduce, lru_cache, partial, cmp_to_key
    @lru_cache(maxsize=None)
    def f(n):
        return n if n < 2 else f(n - 1) + f(n - 2)
    out = [f(60), reduce(lambda a, b: a * b, [1, 2, 3, 4]), partial(int, base=2)("101"), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))]
    return out


def use_operator(now):
    import operator
    out = [sorted([{"a": 2}, {"a": 1}], key=operator.itemgetter("a")), operator.mul(6, 7), operator.attrgetter("real")(5)]
    return out


def use_string(now):
    import string
    out = [string.ascii_lowercase, string.Template("$a!").substitute(a=1), "it's ok".translate(str.maketrans("", "", string.punctuation)), string.capwords("a bc")]
    return out


def use_statistics(now):
    import statistics
    out = [statistics.mean([1, 2, 4]), statistics.median([1, 3, 2, 4]), statistics.stdev([1.5, 2.5, 4.0]), statistics.mode("aab"), statistics.quantiles([1, 2, 3, 4, 5])]
    return out


def use_heapq(now):
    import heapq
    h = [5, 1, 4]; heapq.heapify(h)
    out = [heapq.heappop(h), heapq.nlargest(2, [1, 9, 3]), list(heapq.merge([1, 4], [2, 3]))]
    return out


def use_bisect(now):
    import bisect
    a = [1, 3, 5]; bisect.insort(a, 4)
    out = [a, bisect.bisect_left(a, 3), bisect.bisect_right(a, 3)]
    return out


def use_uuid(now):
    import uuid
    out = [str(uuid.uuid5(uuid.NAMESPACE_DNS, "example.com")), uuid.UUID("12345678123456781234567812345678").version, str(uuid.uuid3(uuid.NAMESPACE_URL, "a")), len(str(uuid.uuid4())), uuid.uuid4().version]
    return out


def use_hashlib(now):
    import hashlib
    out = [hashlib.md5(b"a").hexdigest(), hashlib.sha256("ü".encode()).hexdigest()[:16], hashlib.sha1(b"").hexdigest(), hashlib.new("sha512", b"x").hexdigest()[:8], hashlib.blake2b(b"x", digest_size=8).hexdigest(), hashlib.sha3_256(b"x").hexdigest()[:8]]
    return out


def use_base64(now):
    import base64
    out = [base64.b64encode(b"hi\xff").decode(), base64.urlsafe_b64decode("aGn_").hex(), base64.b32encode(b"a").decode(), base64.b85encode(b"abcd").decode()]
    return out


def use_binascii(now):
    import binascii
    out = [binascii.hexlify(b"ab").decode(), binascii.crc32(b"hello"), binascii.unhexlify("6162").decode()]
    return out


def use_unicodedata(now):
    import unicodedata
    out = [unicodedata.normalize("NFKD", "é").encode("ascii", "ignore").decode(), unicodedata.name("ß"), unicodedata.category("A")]
    return out


def use_typing(now):
    from typing import Any, Dict, List, Optional, Tuple, Union, NamedTuple, TypedDict, cast, get_type_hints
    class Pair(NamedTuple):
        a: int
        b: Optional[str] = None
    class Movie(TypedDict, total=False):
        name: str
    def g(x: List[int], y: "Optional[str]" = None) -> Dict[str, Any]:
        return {}
    out = [Pair(1)._asdict(), Movie(name="x"), cast(int, "1"), str(Union[int, str]) != "", sorted(get_type_hints(Pair))]
    return out


def use_enum(now):
    from enum import Enum, IntEnum, auto
    class State(Enum):
        OPEN = "open"
        DONE = "done"
    class N(IntEnum):
        A = auto()
        B = auto()
    out = [State("done").name, [s.value for s in State], N.B + 1, State.OPEN is State["OPEN"], repr(State.DONE)]
    return out


def use_dataclasses(now):
    from dataclasses import dataclass, field, asdict, replace
    @dataclass(order=True)
    class Item:
        name: str
        price: float = 0.0
        tags: list = field(default_factory=list)
    out = [asdict(Item("a", 1.5)), repr(replace(Item("a"), price=2.0)), Item("a") < Item("b")]
    return out


def use_copy(now):
    import copy
    a = {"x": [1]}; b = copy.deepcopy(a); b["x"].append(2)
    out = [a, b, copy.copy(a) is a]
    return out


def use_pprint(now):
    from pprint import pformat
    out = [pformat({"b": list(range(30)), "a": {"c": "x" * 50}})]
    return out


def use_textwrap(now):
    import textwrap
    out = [textwrap.dedent("  a\n    b"), textwrap.wrap("one two three four", 9), textwrap.shorten("hello big world", 10, placeholder="…"), textwrap.indent("a", "> ")]
    return out


def use_difflib(now):
    import difflib
    out = [difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), difflib.get_close_matches("appel", ["ape", "apple", "peach"]), list(difflib.unified_diff(["a"], ["b"], lineterm=""))]
    return out


def use_contextlib(now):
    from contextlib import contextmanager, closing, suppress
    @contextmanager
    def two():
        yield 2
    with two() as n, suppress(KeyError):
        {}["x"]
    with closing(sqlite3.connect(":memory:")) as db:
        one = db.execute("SELECT 1").fetchone()[0]
    out = [n, one]
    return out


def use_traceback(now):
    import traceback
    try:
        {}["missing"]
    except KeyError:
        out = [traceback.format_exc().splitlines()[-1]]
    return out


def use_io(now):
    import io
    b = io.StringIO("a\nb"); 
    out = [b.readlines(), io.BytesIO(b"xy").read().decode()]
    return out


def use_csv(now):
    import csv, io
    buffer = io.StringIO(); csv.writer(buffer).writerow(["a", "x,y", 1])
    out = [list(csv.reader(io.StringIO('a,b\n1,"x,y"'))), list(csv.DictReader(io.StringIO("h\n1"))), buffer.getvalue()]
    return out


def use_urllib_parse(now):
    import urllib.parse
    from urllib.parse import urlparse, quote
    out = [urlparse("https://a.example:8/b?c=d#e").netloc, urllib.parse.parse_qs("a=1&a=2"), quote("ü /"), urllib.parse.urljoin("http://a/b/", "../c")]
    return out


def verify_task_completion(initial_db_path, final_db_path):
    now = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)
    used = {}
    for name, use in list(globals().items()):
        if name.startswith("use_"):
            try:
                used[name] = use(now)
            except Exception as error:
                used[name] = f"{type(error).__name__}: {error}"
    return {"result": "complete", "used": used}
