import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { StateStore } from '../../accounts/node/stateFiles';

/** What a person chose at earlier submits. */
interface LastSubmit {
  /** Pipelines by ID, the one used last first. */
  pipelines: readonly string[];
  /** Whether masks were to be generated as well; undefined before the first submit. */
  masks: boolean | undefined;
}

const KEY = 'submitChoices';

/** How many pipelines are remembered. */
const MAX_PIPELINES = 20;

/** What a person chose at earlier submits of an account, so that the next one begins with it. */
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

  /** Throws what the file system throws. */
  remember({ pipelineId, masks }: { pipelineId: string; masks: boolean }): Promise<void> {
    const remembering = this.turn.then(async () => {
      const { pipelines } = validChoices(await this.state.read(KEY));
      const others = pipelines.filter(id => id !== pipelineId);
      await this.state.write(KEY, { pipelines: [pipelineId, ...others].slice(0, MAX_PIPELINES), masks });
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
