import type { IPackageOptions } from '@vscode/vsce';

export const MAX_PACKAGE_BYTES: number;
export function packageExtension(): Promise<{ path: string; bytes: number }>;
export function createPackage(options: IPackageOptions): Promise<void>;
export function contentsOf(path: string): Promise<{ kind: string; files: number; bytes: number }[]>;
