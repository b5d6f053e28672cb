export interface Measures {
  files: number;
  lines: number;
  under40: number;
  under30: number;
  exported: number;
  subjects: Record<string, { files: number; lines: number }>;
  journeys: Record<string, number>;
  pages: { files: number; characters: number; options: number; pushMethods: number; pushedIntoViews: number };
}
export function measureSource(files: Readonly<Record<string, string>>, architecture: string): Measures;
