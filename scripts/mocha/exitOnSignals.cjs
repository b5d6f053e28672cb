// Required by mocha: a stop from the terminal, or its end, ends the process at once, by which each
// host ends its own processes.
'use strict';

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(130));
