import type { IPackageOptions } from '@vscode/vsce';

export function packageExtension(): Promise<{ path: string; bytes: number }>;
export function createPackage(options: IPackageOptions): Promise<void>;
