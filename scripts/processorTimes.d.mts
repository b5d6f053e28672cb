import type { ChildProcess } from 'node:child_process';

export class ProcessorTimes {
  constructor(variable?: string);
  begin<T extends ChildProcess>(start: (environment: Record<string, string>) => T): T;
  end(child: ChildProcess): number | undefined;
  look(): void;
}
