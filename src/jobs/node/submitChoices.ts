import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { StateStore } from '../../accounts/node/stateFiles';

/** Choices of a person at earlier submits. */
interface LastSubmit {
  /** IDs of used pipelines, the latest first. */
  pipelines: readonly string[];
  /** Whether masks were selected at the last submit; undefined before the first submit. */
  masks: boolean | undefined;
}

const KEY = 'submitChoices';

/** Maximum number of remembered pipelines. */
const MAX_PIPELINES = 20;

/** Remembers a person's choices at submits of an account, as defaults for the next submit. */
export class SubmitChoices implements Disposable {
  private readonly changed = new Emitter<void>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: StateStore) {}

  get onDidChange(): Event<void> {
    return this.changed.event;
  }

  async last(): Promise<LastSubmit> {
    await this.turn;
    return validChoices(await this.state.read(KEY).catch(() => undefined));
  }

  /** Stores the choices of a submit. Throws errors of the file system. */
  remember({ pipelineId, masks }: { pipelineId: string; masks: boolean }): Promise<void> {
    const remembering = this.turn.then(async () => {
      const { pipelines } = validChoices(await this.state.read(KEY));
      const otherPipelines = pipelines.filter(id => id !== pipelineId);
      await this.state.write(KEY, {
        pipelines: [pipelineId, ...otherPipelines].slice(0, MAX_PIPELINES),
        masks,
      });
      this.changed.fire();
    });
    this.turn = remembering.catch(() => undefined);
    return remembering;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function validChoices(value: unknown): LastSubmit {
  const { pipelines, masks } = (value ?? {}) as Partial<Record<keyof LastSubmit, unknown>>;
  return {
    pipelines: Array.isArray(pipelines) ? pipelines.filter(id => typeof id === 'string') : [],
    masks: typeof masks === 'boolean' ? masks : undefined,
  };
}
