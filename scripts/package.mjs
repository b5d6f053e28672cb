// Creates the .vsix in the project's root, and prints its size and what is in it.
import { relative } from 'node:path';
import { contentsOf, MAX_PACKAGE_BYTES, packageExtension } from './packageExtension.mjs';

const megabytes = bytes => `${(bytes / 1e6).toFixed(2)} MB`;

const { path, bytes } = await packageExtension();
for (const { kind, files, bytes: size } of await contentsOf(path))
  console.log(`${megabytes(size).padStart(10)}  ${kind} (${files} ${files === 1 ? 'file' : 'files'})`);
console.log(
  `${relative('', path)}: ${megabytes(bytes)} of at most ${megabytes(MAX_PACKAGE_BYTES)} (${bytes} bytes)`,
);
