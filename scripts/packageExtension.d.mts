export function packageExtension(): Promise<{ path: string; bytes: number }>;
