-- Tallybrook: the books of a food maker with two companies. An invented business.
CREATE TABLE companies (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  currency TEXT NOT NULL
);
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('asset', 'liability', 'equity', 'income', 'expense')),
  is_active INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE cost_centres (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE periods (
  id INTEGER PRIMARY KEY,
  month TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('open', 'closed'))
);
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  company_id INTEGER NOT NULL REFERENCES companies (id),
  entry_date TEXT NOT NULL,
  memo TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'posted', 'reversed')),
  reverses_id INTEGER REFERENCES entries (id),
  booked_at TEXT NOT NULL
);
CREATE INDEX entries_by_date ON entries (entry_date, id);
CREATE TABLE entry_lines (
  id INTEGER PRIMARY KEY,
  entry_id INTEGER NOT NULL REFERENCES entries (id),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  cost_centre_id INTEGER REFERENCES cost_centres (id),
  debit_cents INTEGER NOT NULL DEFAULT 0 CHECK (debit_cents >= 0),
  credit_cents INTEGER NOT NULL DEFAULT 0 CHECK (credit_cents >= 0),
  note TEXT
);
CREATE INDEX lines_by_entry ON entry_lines (entry_id);
CREATE INDEX lines_by_account ON entry_lines (account_id);
CREATE TABLE vendors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  terms_days INTEGER NOT NULL,
  is_on_hold INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE bills (
  id INTEGER PRIMARY KEY,
  vendor_id INTEGER NOT NULL REFERENCES vendors (id),
  company_id INTEGER NOT NULL REFERENCES companies (id),
  number TEXT NOT NULL UNIQUE,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  due_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'approved', 'paid', 'disputed'))
);
CREATE TABLE bank_accounts (
  id INTEGER PRIMARY KEY,
  company_id INTEGER NOT NULL REFERENCES companies (id),
  name TEXT NOT NULL,
  ledger_account_id INTEGER NOT NULL REFERENCES accounts (id)
);
CREATE TABLE bank_lines (
  id INTEGER PRIMARY KEY,
  bank_account_id INTEGER NOT NULL REFERENCES bank_accounts (id),
  booked_on TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  text TEXT NOT NULL,
  entry_id INTEGER REFERENCES entries (id)
);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  bill_id INTEGER NOT NULL UNIQUE REFERENCES bills (id),
  bank_account_id INTEGER NOT NULL REFERENCES bank_accounts (id),
  amount_cents INTEGER NOT NULL,
  paid_on TEXT NOT NULL
);
CREATE TABLE budgets (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  month TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  UNIQUE (account_id, month)
);
