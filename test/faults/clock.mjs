// @ts-check
// Loaded into the product before anything else: its wall clock is off by as many ms as the named file says.
import { readFileSync } from 'node:fs';

const real = Date.now.bind(Date);
let offset = 0;
setInterval(() => {
  try {
    offset = Number(readFileSync(process.env['FAULTS_CLOCK'] ?? '', 'utf8')) || 0;
  } catch {
    offset = 0;
  }
}, 100).unref();
Date.now = () => real() + offset;
