-- Maplecart: an online shop for the home, with three warehouses. An invented shop.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  customer_since TEXT NOT NULL,
  is_blocked INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE addresses (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  label TEXT NOT NULL,
  street TEXT NOT NULL,
  postcode TEXT NOT NULL,
  city TEXT NOT NULL
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  finish TEXT NOT NULL,
  category TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  is_listed INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE warehouses (
  id INTEGER PRIMARY KEY,
  city TEXT NOT NULL UNIQUE
);
CREATE TABLE stock (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  warehouse_id INTEGER NOT NULL REFERENCES warehouses (id),
  on_hand INTEGER NOT NULL CHECK (on_hand >= 0),
  UNIQUE (product_id, warehouse_id)
);
CREATE TABLE stock_moves (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  from_warehouse_id INTEGER NOT NULL REFERENCES warehouses (id),
  to_warehouse_id INTEGER NOT NULL REFERENCES warehouses (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  moved_at TEXT NOT NULL
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  address_id INTEGER NOT NULL REFERENCES addresses (id),
  status TEXT NOT NULL CHECK (status IN ('paid', 'packed', 'shipped', 'delivered', 'cancelled')),
  cancel_reason TEXT,
  placed_at TEXT NOT NULL
);
CREATE INDEX orders_by_customer ON orders (customer_id, placed_at);
CREATE TABLE order_items (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_cents INTEGER NOT NULL
);
CREATE INDEX items_by_order ON order_items (order_id);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('full', 'deposit', 'balance')),
  method TEXT NOT NULL CHECK (method IN ('card', 'invoice', 'wallet')),
  amount_cents INTEGER NOT NULL,
  captured_at TEXT NOT NULL
);
CREATE TABLE refunds (
  id INTEGER PRIMARY KEY,
  payment_id INTEGER NOT NULL REFERENCES payments (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL CHECK (reason IN ('damaged', 'duplicate_charge', 'late', 'returned', 'goodwill')),
  request_key TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
);
CREATE TABLE returns (
  id INTEGER PRIMARY KEY,
  order_item_id INTEGER NOT NULL REFERENCES order_items (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('requested', 'approved', 'rejected', 'received')),
  note TEXT,
  requested_at TEXT NOT NULL
);
CREATE TABLE shipments (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  warehouse_id INTEGER NOT NULL REFERENCES warehouses (id),
  carrier TEXT NOT NULL CHECK (carrier IN ('Norpost', 'Velofox', 'Brisk')),
  status TEXT NOT NULL CHECK (status IN ('in_transit', 'delivered', 'lost')),
  replaces_id INTEGER REFERENCES shipments (id),
  shipped_at TEXT NOT NULL
);
CREATE TABLE coupons (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  percent_off INTEGER NOT NULL CHECK (percent_off BETWEEN 1 AND 90),
  expires_on TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE order_notes (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  text TEXT NOT NULL,
  written_at TEXT NOT NULL
);
