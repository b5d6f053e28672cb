// Compiles all kernels into the files beside them.
import { globSync } from 'node:fs';
import { compiledPath, writeKernel } from './compileKernel';

for (const source of globSync('src/**/*.as').sort()) {
  await writeKernel(source);
  console.log(compiledPath(source));
}
