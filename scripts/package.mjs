// Creates the .vsix in the project's root and prints its size.
import { relative } from 'node:path';
import { packageExtension } from './packageExtension.mjs';

const { path, bytes } = await packageExtension();
console.log(`${relative('', path)}: ${(bytes / 1e6).toFixed(2)} MB (${bytes} bytes)`);
