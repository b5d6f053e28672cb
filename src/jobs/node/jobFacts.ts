import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { type LineStore, parseKeyedLine } from '../../base/node/lineLog';

/** Facts of a job, wherever submitted, that the service doesn't return. */
export interface JobFact {
  /** Given here by a person. */
  name?: string;
  /** The description of its pipeline. */
  pipeline?: string;
  /** How many objects its results have. */
  objects?: number;
}

/** Longest name that a job can be given, in characters. */
export const MAX_JOB_NAME = 200;

interface JobFactsDependencies {
  lines: LineStore;
  log: Log;
}

/**
 * Names of an account's jobs, and facts of their results. Facts are only appended: windows don't
 * undo each other's.
 */
export class JobFacts implements Disposable {
  /** Some 20,000 facts; the oldest are dropped first. */
  static readonly LIMITS = { fileBytes: 512 * 1024, files: 4 };

  private facts = new Map<string, JobFact>();
  /** The service's names, of lists seen so far; not stored. */
  private readonly listed = new Map<string, string>();
  private readonly changed = new Emitter<string>();
  private writing: Promise<void> = Promise.resolve();

  /** A job, by its ID, has new facts. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: JobFactsDependencies) {}

  /** Reads what any window stored. A failure is logged: names and counts are then missing. */
  async load(): Promise<void> {
    await this.writing;
    const facts = new Map<string, JobFact>();
    try {
      for await (const part of this.parts.lines.parts()) {
        for (const line of part.toString('utf8').split('\n').reverse()) {
          const entry = parseEntry(line);
          // The newest come first: what is known already is newer.
          if (entry) facts.set(entry.jobId, { ...entry.fact, ...facts.get(entry.jobId) });
        }
      }
    } catch (error) {
      this.parts.log.error('What is known of jobs could not be read', error);
      return;
    }
    this.facts = facts;
  }

  /** The facts of a job; a name that was removed is empty. */
  get(jobId: string): JobFact {
    return this.facts.get(jobId) ?? {};
  }

  /** The jobs that were given a name here. */
  get named(): string[] {
    return [...this.facts].flatMap(([jobId, { name }]) => (name ? [jobId] : []));
  }

  /** The name of a job in the lists of the service. */
  listedName(jobId: string): string | undefined {
    return this.listed.get(jobId);
  }

  /** Remembers, for as long as this window is open, how the service calls a job. */
  list({ id, name }: { id: string; name?: string }): void {
    if (name !== undefined) this.listed.set(id, name);
  }

  /** Stores a job's new facts. A failure is logged; the facts are then known only here. */
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
    this.parts.lines.dispose();
    this.changed.dispose();
  }

  private async write(jobId: string, fact: JobFact): Promise<void> {
    try {
      await this.parts.lines.append([JSON.stringify([jobId, fact])]);
    } catch (error) {
      this.parts.log.error('What is known of a job could not be stored', error);
    }
  }
}

/** Undefined for a damaged line. */
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
