import { PACKAGE_VARIABLE } from '../../../scripts/bundleTests.mjs';
import { packageExtension } from '../../../scripts/packageExtension.mjs';

/**
 * The .vsix to measure: this build's, which is made first, or the one of another build
 * (scripts/bench.mjs).
 */
export async function measuredPackage(): Promise<string> {
  return process.env[PACKAGE_VARIABLE] ?? (await packageExtension()).path;
}
