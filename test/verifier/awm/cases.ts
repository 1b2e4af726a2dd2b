// Verifiers that are right or wrong in ways of their own, each with what the Agent World Model server made of it: its
// label, and what the verifier returned where it gave one. test/peers/verifier.test.ts asks the real server again.
export type AwmCase = { name: string; form: 'code' | 'sql'; code: string; label: string; result: unknown };

export const AWM_CASES: readonly AwmCase[] = [
  {
    name: 'has sqlite3, json and re at hand',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', found: [1, '[1]', 'b'] },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete", "found": [sqlite3.connect(":memory:").execute("SELECT 1").fetchone()[0], json.dumps([1]), re.sub("a", "b", "a")]}
`,
  },
  {
    name: 'gets an empty text for no answer',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', answer: "''" },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete" if final_answer == "" else "others", "answer": repr(final_answer)}
`,
  },
  {
    name: 'takes its arguments by position',
    form: 'code',
    label: 'complete',
    result: { result: 'complete' },
    code: String.raw`def verify_task_completion(a, b, c):
    return {"result": "complete" if (a[-3:], b[-3:], c) == (".db", ".db", "") else "others"}
`,
  },
  {
    name: 'takes two by position',
    form: 'code',
    label: 'complete',
    result: { result: 'complete' },
    code: String.raw`def verify_task_completion(a, b):
    return {"result": "complete" if a != b else "others"}
`,
  },
  {
    name: 'takes keywords',
    form: 'code',
    label: 'complete',
    result: { result: 'complete' },
    code: String.raw`def verify_task_completion(*, final_db_path, final_answer):
    return {"result": "complete" if final_db_path else "others"}
`,
  },
  {
    name: 'takes none',
    form: 'code',
    label: 'complete',
    result: { result: 'complete' },
    code: String.raw`def verify_task_completion():
    return {"result": "complete"}
`,
  },
  {
    name: 'takes the rest',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', n: [2, []] },
    code: String.raw`def verify_task_completion(*args, **kwargs):
    return {"result": "complete", "n": [len(args), sorted(kwargs)]}
`,
  },
  {
    name: 'needs more than it gets',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, other):
    return {"result": "complete"}
`,
  },
  {
    name: 'means others by any other word',
    form: 'code',
    label: 'others',
    result: { result: 'incomplete' },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "incomplete"}
`,
  },
  {
    name: 'means others by True',
    form: 'code',
    label: 'others',
    result: { result: true },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": True}
`,
  },
  {
    name: 'means nothing without a result',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"status": "complete"}
`,
  },
  {
    name: 'means nothing by a word alone',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return "complete"
`,
  },
  {
    name: 'means nothing by None',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    pass
`,
  },
  {
    name: 'bytes are no verdict',
    form: 'code',
    label: 'others',
    result: { result: 'complete' },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": b"complete"}
`,
  },
  {
    name: 'keeps what JSON has no name for',
    form: 'code',
    label: 'complete',
    result: {
      result: 'complete',
      set: '{1}',
      bytes: 'x',
      tuple: [1, 2],
      decimal: '1.5',
      "('a', 1)": 2,
      '3': 4,
      null: 5,
      date: '2026-01-02',
    },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete", "set": {1}, "bytes": b"x\xff", "tuple": (1, 2), "decimal": __import__("decimal").Decimal("1.5"), ("a", 1): 2, 3: 4, None: 5, "date": __import__("datetime").date(2026, 1, 2)}
`,
  },
  {
    name: 'not a number',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', x: 'NaN', y: '-Infinity' },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete", "x": float("nan"), "y": -float("inf")}
`,
  },
  {
    name: 'large integers',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', id: '9007199254740993' },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete", "id": 9007199254740993}
`,
  },
  {
    name: 'keys that JSON cannot hold',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete", b"a": 1}
`,
  },
  {
    name: 'a result that holds itself',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    x = {"result": "complete"}
    x["x"] = x
    return x
`,
  },
  {
    name: 'text that cannot be made',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    class T:
        def __str__(self):
            raise ValueError("no")
    return {"result": "complete", "t": T()}
`,
  },
  {
    name: 'prints',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    print("looking")
    return {"result": "complete"}
`,
  },
  {
    name: 'prints without a line end',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    print("x", end="")
    return {"result": "complete"}
`,
  },
  {
    name: 'prints an empty line',
    form: 'code',
    label: 'complete',
    result: { result: 'complete' },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    print()
    return {"result": "complete"}
`,
  },
  {
    name: 'runs as a program',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', ran: true },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete", "ran": globals().get("ran")}

if __name__ == "__main__":
    ran = True
`,
  },
  {
    name: 'prints as a program',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete"}

if __name__ == "__main__":
    print(1)
`,
  },
  {
    name: 'raises',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    raise ValueError("no")
`,
  },
  {
    name: 'raises what nobody catches',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    class Stop(BaseException):
        pass
    raise Stop()
`,
  },
  {
    name: 'does not compile',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": 
`,
  },
  {
    name: 'fails when it is read',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`x = undefined_name
def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete"}
`,
  },
  { name: 'is too short', form: 'code', label: 'judge_error', result: null, code: String.raw`x = 1` },
  {
    name: 'calls the first of several',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_helper(x):
    return {"result": "others", "x": x[-5:]}

def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete"}
`,
  },
  {
    name: 'finds it in a class',
    form: 'code',
    label: 'judge_error',
    result: null,
    code: String.raw`class A:
    def verify_inner(self):
        pass
def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    return {"result": "complete"}
`,
  },
  {
    name: 'reads its own depth',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', n: 900 },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    def down(n):
        return 0 if n == 0 else 1 + down(n - 1)
    return {"result": "complete", "n": down(900)}
`,
  },
  {
    name: 'writes to the database',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', n: 3 },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    db = sqlite3.connect(final_db_path)
    try:
        n = db.execute("SELECT count(*) FROM items").fetchone()[0]
    finally:
        db.close()
    return {"result": "complete", "n": n}
`,
  },
  {
    name: 'annotates its function',
    form: 'code',
    label: 'complete',
    result: { result: 'complete' },
    code: String.raw`from typing import Any, Dict, Optional

def verify_task_completion(initial_db_path: str, final_db_path: str, final_answer: Optional[str] = None) -> Dict[str, Any]:
    return {"result": "complete"}
`,
  },
  {
    name: 'takes dates from the database',
    form: 'code',
    label: 'complete',
    result: { result: 'complete', at: ['2026-01-01', '2026-02-28', '2026-07-04'] },
    code: String.raw`def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    from datetime import datetime
    at = [datetime.strptime(r[0], "%Y-%m-%d %H:%M:%S").date().isoformat() for r in sqlite3.connect(final_db_path).execute("SELECT made_at FROM items ORDER BY id")]
    return {"result": "complete" if at[-1] == "2026-07-04" else "others", "at": at}
`,
  },
  {
    name: 'evidence: counts',
    form: 'sql',
    label: 'incomplete',
    result: {
      count: 3,
      rows: [
        [1, 'table'],
        [2, 'Lamp'],
        [3, 'Chair'],
      ],
    },
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    db = sqlite3.connect(final_db_path)
    return {"count": db.execute("SELECT count(*) FROM items").fetchone()[0], "rows": db.execute("SELECT id, title FROM items").fetchall()}
`,
  },
  {
    name: 'evidence: failed by its own word',
    form: 'sql',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    return {"execution_status": "error", "error_message": "x"}
`,
  },
  {
    name: 'evidence: raises',
    form: 'sql',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    raise ValueError("no")
`,
  },
  {
    name: 'evidence: a list',
    form: 'sql',
    label: 'incomplete',
    result: [1, [2, 3], '{4}'],
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    return [1, (2, 3), {4}]
`,
  },
  {
    name: 'evidence: text',
    form: 'sql',
    label: 'incomplete',
    result: 'fine',
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    return "fine"
`,
  },
  {
    name: 'evidence: prints',
    form: 'sql',
    label: 'judge_error',
    result: null,
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    print("x")
    return {"a": 1}
`,
  },
  {
    name: 'evidence: dates',
    form: 'sql',
    label: 'incomplete',
    result: { at: '2026-01-02 00:00:00', key: { "('a', 1)": 2 } },
    code: String.raw`def verify_task(initial_db_path, final_db_path):
    from datetime import datetime
    try:
        at = datetime.strptime("2026-01-02", "%Y-%m-%d")
    except Exception as error:
        return {"error": str(error)}
    return {"at": at, "key": {("a", 1): 2}}
`,
  },
];
