// A process that starts another one, says what that says, and waits. The other one outlives it where nothing ends it.
import { spawn } from 'node:child_process';

const [command, ...args] = JSON.parse(process.argv[2]);
spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });
setInterval(() => undefined, 1000);
