export function readmeOfPackage(): Promise<string>;
export function packageReadme(readme: string, pages: readonly { path: string; text: string }[]): string;
export function anchorsOf(text: string): string[];
export function withoutCode(text: string): string;
