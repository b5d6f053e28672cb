// In CI, property tests draw the same cases each time: a case that nobody has seen yet should fail
// on the machine of who works on it, where seeds are random, not when somebody else's change lands.
'use strict';

if ('CI' in process.env) require('fast-check').configureGlobal({ seed: 4711 });
