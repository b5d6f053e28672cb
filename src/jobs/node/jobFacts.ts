import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { type LineStore, parseKeyedLine } from '../../base/node/lineLog';

/** Facts of any job that the service doesn't return. */
export interface JobFact {
  /** Name that a person gave the job here. */
  name?: string;
  /** Description of its pipeline. */
  pipeline?: string;
  /** Number of objects in its results. */
  objects?: number;
}

/** Maximum characters of a job's name. */
export const MAX_JOB_NAME = 200;

interface JobFactsDependencies {
  lines: LineStore;
  log: Log;
}

/**
 * Names of an account's jobs, and facts of their results. Windows only append facts, so that none
 * overwrites those of another.
 */
export class JobFacts implements Disposable {
  /** Room for about 20,000 facts; the oldest are dropped first. */
  static readonly LIMITS = { fileBytes: 512 * 1024, files: 4 };

  private facts = new Map<string, JobFact>();
  /** Names from the service's lists, by job ID; not stored. */
  private readonly listed = new Map<string, string>();
  private readonly changed = new Emitter<string>();
  private writing: Promise<void> = Promise.resolve();

  /** Fires with the ID of a job that has new facts. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: JobFactsDependencies) {}

  /** Reads the facts that any window stored. Logs a failure; names and counts are then missing. */
  async load(): Promise<void> {
    await this.writing;
    const facts = new Map<string, JobFact>();
    try {
      for await (const content of this.dependencies.lines.fileContents()) {
        for (const line of content.toString('utf8').split('\n').reverse()) {
          const entry = parseEntry(line);
          // The newest lines come first, so facts that are set already win.
          if (entry) facts.set(entry.jobId, { ...entry.fact, ...facts.get(entry.jobId) });
        }
      }
    } catch (error) {
      this.dependencies.log.error('What is known of jobs could not be read', error);
      return;
    }
    this.facts = facts;
  }

  /** The facts of a job. A removed name is an empty string. */
  get(jobId: string): JobFact {
    return this.facts.get(jobId) ?? {};
  }

  /** IDs of the jobs that were named here. */
  get named(): string[] {
    return [...this.facts].flatMap(([jobId, { name }]) => (name ? [jobId] : []));
  }

  /** The name of a job from the service's lists. */
  listedName(jobId: string): string | undefined {
    return this.listed.get(jobId);
  }

  /** Remembers a job's name from the service, while this window is open. */
  list({ id, name }: { id: string; name?: string }): void {
    if (name !== undefined) this.listed.set(id, name);
  }

  /** Stores new facts of a job. Logs a failure; then only this window knows the facts. */
  async add(jobId: string, fact: JobFact): Promise<void> {
    const before = this.get(jobId);
    const after = { ...before, ...fact };
    if (after.name === before.name && after.pipeline === before.pipeline && after.objects === before.objects)
      return;
    this.facts.set(jobId, after);
    this.changed.fire(jobId);
    this.writing = this.writing.then(() => this.write(jobId, fact));
    await this.writing;
  }

  dispose(): void {
    this.dependencies.lines.dispose();
    this.changed.dispose();
  }

  private async write(jobId: string, fact: JobFact): Promise<void> {
    try {
      await this.dependencies.lines.append([JSON.stringify([jobId, fact])]);
    } catch (error) {
      this.dependencies.log.error('What is known of a job could not be stored', error);
    }
  }
}

/** Parses a line; undefined if it is damaged. */
function parseEntry(line: string): { jobId: string; fact: JobFact } | undefined {
  const parsed = parseKeyedLine(line);
  if (!parsed) return undefined;
  const [jobId, { name, pipeline, objects }] = parsed;
  const fact = {
    ...(typeof name === 'string' && { name }),
    ...(typeof pipeline === 'string' && { pipeline }),
    ...(typeof objects === 'number' && { objects }),
  };
  return { jobId, fact };
}
