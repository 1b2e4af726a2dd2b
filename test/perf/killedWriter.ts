// Writes a thousand episodes that stay in the write-ahead log, and is gone without closing it.
import { openDatabase } from '../../src/main/log/database.ts';
import { writeEpisodes } from './manyEvents.ts';

const [path = '', from = '0'] = process.argv.slice(2);
const db = openDatabase(path);
db.pragma('wal_autocheckpoint = 0');
writeEpisodes(db, 1_000, Number(from));
process.kill(process.pid, 'SIGKILL');
