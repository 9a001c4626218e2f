-- A load like TPC-C, for sysbench 1.0 on MariaDB, MySQL and PostgreSQL.
--
-- Nine tables, five kinds of transactions and their mix as in the specification (TPC-C 5.11, clauses 1 to 4), without
-- its thinking and keying times, its terminals, its foreign keys and its checks of the answers: every thread runs one
-- transaction after another, each on a warehouse drawn at random. Results are not tpmC and may not be called so.
--
-- `scale` shrinks a warehouse: items, customers and orders of a district are that share of the specification's.
--
-- Commands: `create` (tables), `fill` (rows; a warehouse a thread at a time), `index`, `run`.

local bit = require("bit")

sysbench.cmdline.options = {
   warehouses = {"Number of warehouses", 1},
   scale = {"Size of a warehouse, as a share of the specification's", 1.0}
}

local DISTRICTS = 10
local PAID = 10 -- by every customer so far
local CUSTOMERS, ITEMS, UNDELIVERED, NAMES      -- of a district, of all, of a district, in use
local A_CUSTOMER, A_ITEM, A_NAME                -- of NURand

local SYLLABLES = {"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}
local BATCH = 500

local uniform = sysbench.rand.uniform
local format = string.format

local function sizes()
   local scale = sysbench.opt.scale
   CUSTOMERS = math.max(30, math.floor(3000 * scale))
   ITEMS = math.max(100, math.floor(100000 * scale))
   UNDELIVERED = math.floor(CUSTOMERS * 0.3)
   NAMES = math.min(1000, CUSTOMERS)
   -- The specification's constants are powers of two less one; smaller ranges take smaller powers.
   local function power(most) return 2 ^ math.max(1, math.floor(math.log(most + 1) / math.log(2) + 1e-9)) - 1 end
   A_CUSTOMER = power(1023 * CUSTOMERS / 3000)
   A_ITEM = power(8191 * ITEMS / 100000)
   A_NAME = power(255 * NAMES / 1000)
end

-- ------------------------------------------------------------------------------------------------- random values

-- Clause 2.1.6. The constant C is the middle of its range: the same in every run, so that the hot rows are too.
local function skewed(a, low, high)
   local drawn = bit.bor(uniform(0, a), uniform(low, high)) + math.floor(a / 2)
   return drawn % (high - low + 1) + low
end

local function some_customer() return skewed(A_CUSTOMER, 1, CUSTOMERS) end
local function some_item() return skewed(A_ITEM, 1, ITEMS) end

local function last_name(number)
   return SYLLABLES[math.floor(number / 100) + 1] .. SYLLABLES[math.floor(number / 10) % 10 + 1]
      .. SYLLABLES[number % 10 + 1]
end

local function letters(low, high) return sysbench.rand.string(string.rep("@", uniform(low, high))) end
local function digits(count) return sysbench.rand.string(string.rep("#", count)) end
local function zip() return digits(4) .. "11111" end
local function chance(percent) return uniform(1, 100) <= percent end

local function data()
   local text = letters(26, 50)
   return chance(10) and "ORIGINAL" .. text:sub(9) or text
end

-- ------------------------------------------------------------------------------------------------------ the tables

local TABLES = {
   warehouse = [[w_id INT NOT NULL, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 VARCHAR(20),
      w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4,4), w_ytd DECIMAL(14,2),
      PRIMARY KEY (w_id)]],
   district = [[d_id SMALLINT NOT NULL, d_w_id INT NOT NULL, d_name VARCHAR(10), d_street_1 VARCHAR(20),
      d_street_2 VARCHAR(20), d_city VARCHAR(20), d_state CHAR(2), d_zip CHAR(9), d_tax DECIMAL(4,4),
      d_ytd DECIMAL(14,2), d_next_o_id INT, PRIMARY KEY (d_w_id, d_id)]],
   customer = [[c_id INT NOT NULL, c_d_id SMALLINT NOT NULL, c_w_id INT NOT NULL, c_first VARCHAR(16),
      c_middle CHAR(2), c_last VARCHAR(16), c_street_1 VARCHAR(20), c_street_2 VARCHAR(20), c_city VARCHAR(20),
      c_state CHAR(2), c_zip CHAR(9), c_phone CHAR(16), c_since TIMESTAMP NULL, c_credit CHAR(2),
      c_credit_lim DECIMAL(14,2), c_discount DECIMAL(4,4), c_balance DECIMAL(14,2), c_ytd_payment DECIMAL(14,2),
      c_payment_cnt INT, c_delivery_cnt INT, c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id)]],
   history = [[h_c_id INT, h_c_d_id SMALLINT, h_c_w_id INT, h_d_id SMALLINT, h_w_id INT, h_date TIMESTAMP NULL,
      h_amount DECIMAL(6,2), h_data VARCHAR(24)]],
   orders = [[o_id INT NOT NULL, o_d_id SMALLINT NOT NULL, o_w_id INT NOT NULL, o_c_id INT,
      o_entry_d TIMESTAMP NULL, o_carrier_id SMALLINT, o_ol_cnt SMALLINT, o_all_local SMALLINT,
      PRIMARY KEY (o_w_id, o_d_id, o_id)]],
   new_orders = [[no_o_id INT NOT NULL, no_d_id SMALLINT NOT NULL, no_w_id INT NOT NULL,
      PRIMARY KEY (no_w_id, no_d_id, no_o_id)]],
   order_line = [[ol_o_id INT NOT NULL, ol_d_id SMALLINT NOT NULL, ol_w_id INT NOT NULL,
      ol_number SMALLINT NOT NULL, ol_i_id INT, ol_supply_w_id INT, ol_delivery_d TIMESTAMP NULL,
      ol_quantity SMALLINT, ol_amount DECIMAL(6,2), ol_dist_info CHAR(24),
      PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)]],
   item = [[i_id INT NOT NULL, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), i_data VARCHAR(50),
      PRIMARY KEY (i_id)]],
   stock = [[s_i_id INT NOT NULL, s_w_id INT NOT NULL, s_quantity SMALLINT, s_dist_01 CHAR(24), s_dist_02 CHAR(24),
      s_dist_03 CHAR(24), s_dist_04 CHAR(24), s_dist_05 CHAR(24), s_dist_06 CHAR(24), s_dist_07 CHAR(24),
      s_dist_08 CHAR(24), s_dist_09 CHAR(24), s_dist_10 CHAR(24), s_ytd INT, s_order_cnt INT, s_remote_cnt INT,
      s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id)]]
}

local function connect() return sysbench.sql.driver():connect() end

local function create()
   local con = connect()
   for name, columns in pairs(TABLES) do
      con:query(format("CREATE TABLE %s (%s)", name, columns))
   end
end

local function index()
   local con = connect()
   con:query("CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last, c_first)")
   con:query("CREATE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id)")
end

-- Rows of one table, many to a statement. Bytes on the way are bounded by the number of rows.
local function rows_of(con, name)
   local pending = {}
   local self = {}
   function self.flush()
      if #pending > 0 then
         con:query(format("INSERT INTO %s VALUES %s", name, table.concat(pending, ",")))
         pending = {}
      end
   end
   function self.add(row, ...)
      pending[#pending + 1] = format(row, ...)
      if #pending == BATCH then self.flush() end
   end
   return self
end

local function fill_items(con)
   local rows = rows_of(con, "item")
   for i = 1, ITEMS do
      rows.add("(%d,%d,'%s',%.2f,'%s')", i, uniform(1, 10000), letters(14, 24), uniform(100, 10000) / 100, data())
   end
   rows.flush()
end

local function fill_stock(con, w)
   local rows = rows_of(con, "stock")
   for i = 1, ITEMS do
      local info = {}
      for d = 1, DISTRICTS do info[d] = "'" .. letters(24, 24) .. "'" end
      rows.add("(%d,%d,%d,%s,0,0,0,'%s')", i, w, uniform(10, 100), table.concat(info, ","), data())
   end
   rows.flush()
end

local function fill_customers(con, w, d)
   local customers, history = rows_of(con, "customer"), rows_of(con, "history")
   for c = 1, CUSTOMERS do
      local name = last_name(c <= NAMES and c - 1 or skewed(A_NAME, 0, NAMES - 1))
      customers.add(
         "(%d,%d,%d,'%s','OE','%s','%s','%s','%s','%s','%s','%s',CURRENT_TIMESTAMP,'%s',50000,%.4f,-%d,%d,1,0,'%s')",
         c, d, w, letters(8, 16), name, letters(10, 20), letters(10, 20), letters(10, 20), letters(2, 2), zip(),
         digits(16), chance(10) and "BC" or "GC", uniform(0, 5000) / 10000, PAID, PAID, letters(300, 500))
      history.add("(%d,%d,%d,%d,%d,CURRENT_TIMESTAMP,%d,'%s')", c, d, w, d, w, PAID, letters(12, 24))
   end
   customers.flush()
   history.flush()
end

-- Every customer has one order, in an order that is drawn; the last three tenths wait to be delivered.
local function fill_orders(con, w, d)
   local customer_of = {}
   for c = 1, CUSTOMERS do customer_of[c] = c end
   for c = CUSTOMERS, 2, -1 do
      local other = uniform(1, c)
      customer_of[c], customer_of[other] = customer_of[other], customer_of[c]
   end
   local orders, lines, new = rows_of(con, "orders"), rows_of(con, "order_line"), rows_of(con, "new_orders")
   for o = 1, CUSTOMERS do
      local is_new = o > CUSTOMERS - UNDELIVERED
      local count = uniform(5, 15)
      orders.add("(%d,%d,%d,%d,CURRENT_TIMESTAMP,%s,%d,1)", o, d, w, customer_of[o],
         is_new and "NULL" or tostring(uniform(1, 10)), count)
      for number = 1, count do
         lines.add("(%d,%d,%d,%d,%d,%d,%s,5,%.2f,'%s')", o, d, w, number, uniform(1, ITEMS), w,
            is_new and "NULL" or "CURRENT_TIMESTAMP", is_new and uniform(1, 999999) / 100 or 0, letters(24, 24))
      end
      if is_new then new.add("(%d,%d,%d)", o, d, w) end
   end
   orders.flush()
   lines.flush()
   new.flush()
end

local function place() -- name, streets, city, state and zip of a warehouse or district
   return format("'%s','%s','%s','%s','%s','%s',%.4f", letters(6, 10), letters(10, 20), letters(10, 20),
      letters(10, 20), letters(2, 2), zip(), uniform(0, 2000) / 10000)
end

local function fill_warehouse(con, w)
   con:query(format("INSERT INTO warehouse VALUES (%d,%s,%d)", w, place(), PAID * CUSTOMERS * DISTRICTS))
   fill_stock(con, w)
   for d = 1, DISTRICTS do
      con:query(format("INSERT INTO district VALUES (%d,%d,%s,%d,%d)", d, w, place(), PAID * CUSTOMERS, CUSTOMERS + 1))
      fill_customers(con, w, d)
      fill_orders(con, w, d)
   end
end

local function fill()
   sizes()
   local con = connect()
   if sysbench.tid == 0 then fill_items(con) end
   for w = sysbench.tid + 1, sysbench.opt.warehouses, sysbench.opt.threads do fill_warehouse(con, w) end
end

sysbench.cmdline.commands = {
   create = {create},
   fill = {fill, sysbench.cmdline.PARALLEL_COMMAND},
   index = {index}
}

-- ------------------------------------------------------------------------------------------------- the transactions

local con
local open = false -- whether a transaction was begun and not ended: one that was cut off by a deadlock

local function ask(sql, ...) return con:query(format(sql, ...)) end
local function row(sql, ...) return con:query_row(format(sql, ...)) end

local function begin()
   if open then con:query("ROLLBACK") end
   con:query("BEGIN")
   open = true
end

local function finish(word)
   con:query(word or "COMMIT")
   open = false
end

local function some_warehouse() return uniform(1, sysbench.opt.warehouses) end

local function another_warehouse(w)
   local count = sysbench.opt.warehouses
   if count == 1 then return w end
   local drawn = uniform(1, count - 1)
   return drawn >= w and drawn + 1 or drawn
end

-- Three fifths by last name: of those who share it, the one in the middle by first name.
local function find_customer(w, d)
   if not chance(60) then return some_customer() end
   local found = ask("SELECT c_id FROM customer WHERE c_w_id = %d AND c_d_id = %d AND c_last = '%s' ORDER BY c_first",
      w, d, last_name(skewed(A_NAME, 0, NAMES - 1)))
   local c
   for _ = 1, math.ceil(found.nrows / 2) do c = tonumber(found:fetch_row()[1]) end
   return c or some_customer()
end

local function new_order()
   local w, d, c = some_warehouse(), uniform(1, DISTRICTS), some_customer()
   local count, is_wrong = uniform(5, 15), chance(1)
   local lines, all_local, is_there = {}, 1, {}
   for number = 1, count do
      local supply = chance(1) and another_warehouse(w) or w
      local item = some_item()
      while is_there[item] do item = item % ITEMS + 1 end
      is_there[item] = true
      if supply ~= w then all_local = 0 end
      lines[number] = {item = item, supply = supply, quantity = uniform(1, 10)}
   end
   if is_wrong then lines[count].item = ITEMS + 1 end
   -- In one order for all: two transactions that take the same stock do not wait for each other in a circle.
   table.sort(lines, function(a, b) return a.supply < b.supply or a.supply == b.supply and a.item < b.item end)
   begin()
   row("SELECT w_tax FROM warehouse WHERE w_id = %d", w)
   local order = tonumber((row(
      "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = %d AND d_id = %d FOR UPDATE", w, d)))
   ask("UPDATE district SET d_next_o_id = %d WHERE d_w_id = %d AND d_id = %d", order + 1, w, d)
   row("SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d", w, d, c)
   ask("INSERT INTO orders VALUES (%d,%d,%d,%d,CURRENT_TIMESTAMP,NULL,%d,%d)", order, d, w, c, count, all_local)
   ask("INSERT INTO new_orders VALUES (%d,%d,%d)", order, d, w)
   for number, line in ipairs(lines) do
      local price = row("SELECT i_price, i_name, i_data FROM item WHERE i_id = %d", line.item)
      if price == nil then return finish("ROLLBACK") end
      local quantity, info = row(
         "SELECT s_quantity, s_dist_%02d, s_data FROM stock WHERE s_w_id = %d AND s_i_id = %d FOR UPDATE",
         d, line.supply, line.item)
      local left = tonumber(quantity) - line.quantity
      if left < 10 then left = left + 91 end
      ask("UPDATE stock SET s_quantity = %d, s_ytd = s_ytd + %d, s_order_cnt = s_order_cnt + 1, "
         .. "s_remote_cnt = s_remote_cnt + %d WHERE s_w_id = %d AND s_i_id = %d",
         left, line.quantity, line.supply == w and 0 or 1, line.supply, line.item)
      ask("INSERT INTO order_line VALUES (%d,%d,%d,%d,%d,%d,NULL,%d,%.2f,'%s')", order, d, w, number, line.item,
         line.supply, line.quantity, line.quantity * tonumber(price), info)
   end
   finish()
end

local function payment()
   local w, d, amount = some_warehouse(), uniform(1, DISTRICTS), uniform(100, 500000) / 100
   local cw, cd = w, d
   if chance(15) then cw, cd = another_warehouse(w), uniform(1, DISTRICTS) end
   begin()
   ask("UPDATE warehouse SET w_ytd = w_ytd + %.2f WHERE w_id = %d", amount, w)
   row("SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = %d", w)
   ask("UPDATE district SET d_ytd = d_ytd + %.2f WHERE d_w_id = %d AND d_id = %d", amount, w, d)
   row("SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district WHERE d_w_id = %d AND d_id = %d",
      w, d)
   local c = find_customer(cw, cd)
   local credit, old = row("SELECT c_credit, c_data, c_first, c_last, c_balance FROM customer "
      .. "WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d FOR UPDATE", cw, cd, c)
   local told = ""
   if credit == "BC" then
      told = format(", c_data = '%s'", format("%d %d %d %d %d %.2f|%s", c, cd, cw, d, w, amount, old):sub(1, 500))
   end
   ask("UPDATE customer SET c_balance = c_balance - %.2f, c_ytd_payment = c_ytd_payment + %.2f, "
      .. "c_payment_cnt = c_payment_cnt + 1%s WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d",
      amount, amount, told, cw, cd, c)
   ask("INSERT INTO history VALUES (%d,%d,%d,%d,%d,CURRENT_TIMESTAMP,%.2f,'%s')", c, cd, cw, d, w, amount,
      letters(12, 24))
   finish()
end

local function order_status()
   local w, d = some_warehouse(), uniform(1, DISTRICTS)
   begin()
   local c = find_customer(w, d)
   row("SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d",
      w, d, c)
   local order = row("SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = %d AND o_d_id = %d "
      .. "AND o_c_id = %d ORDER BY o_id DESC LIMIT 1", w, d, c)
   if order ~= nil then
      ask("SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line "
         .. "WHERE ol_w_id = %d AND ol_d_id = %d AND ol_o_id = %d", w, d, order)
   end
   finish()
end

local function delivery()
   local w, carrier = some_warehouse(), uniform(1, 10)
   begin()
   for d = 1, DISTRICTS do
      local order = row("SELECT no_o_id FROM new_orders WHERE no_w_id = %d AND no_d_id = %d "
         .. "ORDER BY no_o_id LIMIT 1 FOR UPDATE", w, d)
      if order ~= nil then
         ask("DELETE FROM new_orders WHERE no_w_id = %d AND no_d_id = %d AND no_o_id = %d", w, d, order)
         local c = row("SELECT o_c_id FROM orders WHERE o_w_id = %d AND o_d_id = %d AND o_id = %d", w, d, order)
         ask("UPDATE orders SET o_carrier_id = %d WHERE o_w_id = %d AND o_d_id = %d AND o_id = %d", carrier, w, d,
            order)
         ask("UPDATE order_line SET ol_delivery_d = CURRENT_TIMESTAMP WHERE ol_w_id = %d AND ol_d_id = %d "
            .. "AND ol_o_id = %d", w, d, order)
         local amount = row("SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = %d AND ol_d_id = %d "
            .. "AND ol_o_id = %d", w, d, order)
         ask("UPDATE customer SET c_balance = c_balance + %s, c_delivery_cnt = c_delivery_cnt + 1 "
            .. "WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d", amount, w, d, c)
      end
   end
   finish()
end

local function stock_level()
   local w, d = some_warehouse(), uniform(1, DISTRICTS)
   begin()
   local next_order = tonumber((row("SELECT d_next_o_id FROM district WHERE d_w_id = %d AND d_id = %d", w, d)))
   row("SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = %d AND ol_d_id = %d AND ol_o_id < %d "
      .. "AND ol_o_id >= %d AND s_w_id = %d AND s_i_id = ol_i_id AND s_quantity < %d",
      w, d, next_order, next_order - 20, w, uniform(10, 20))
   finish()
end

local MIX = { -- clause 5.2.3: the least shares, and what is left of them to new orders
   {name = "new-order", until_percent = 45, run = new_order},
   {name = "payment", until_percent = 88, run = payment},
   {name = "order-status", until_percent = 92, run = order_status},
   {name = "delivery", until_percent = 96, run = delivery},
   {name = "stock-level", until_percent = 100, run = stock_level}
}
local counts = {}

function thread_init()
   sizes()
   con = connect()
   for _, kind in ipairs(MIX) do counts[kind.name] = 0 end
end

local drawn -- kept when a transaction is run again after a deadlock, so that the mix holds

function event()
   if not open then drawn = uniform(1, 100) end
   for _, kind in ipairs(MIX) do
      if drawn <= kind.until_percent then
         kind.run()
         counts[kind.name] = counts[kind.name] + 1
         return
      end
   end
end

function thread_done()
   -- In one write: `print` writes the end of a line apart, and threads that end together write into each other's lines.
   local lines = {}
   for _, kind in ipairs(MIX) do lines[#lines + 1] = format("kind: %s %d\n", kind.name, counts[kind.name]) end
   io.write(table.concat(lines))
   con:disconnect()
end
