import type { JobAnnouncement } from './jobAnnouncement';

/** How long further ends are waited for at least, and at most where they are known but not yet ready. Milliseconds. */
const GATHERED_FOR = { least: 1000, most: 5000 };

export interface GatheringParts {
  delay: (milliseconds: number) => Promise<void>;
  /** How long it may take until each job that is still followed has been polled once more. Milliseconds. */
  untilPolled?: () => number;
}

/**
 * Gathers announcements that come at once. Jobs that end at once are told by one response, or by the polls that follow; until an
 * announcement is ready, files are read and other windows are heard, which takes each of them another time.
 */
export class GatheredAnnouncements {
  private readonly coming = new Set<Promise<unknown>>();
  private gathered: JobAnnouncement[] = [];

  constructor(private readonly parts: GatheringParts) {}

  /**
   * All announcements that came within a moment of the first, or were on their way then, for the caller that added the first; none
   * for the others, and for an end that isn't announced.
   */
  async add(coming: Promise<JobAnnouncement | undefined>): Promise<readonly JobAnnouncement[]> {
    const { delay, untilPolled = () => 0 } = this.parts;
    // Whether it is the first. Who waits for those that are coming finds them gathered.
    const arriving = coming.then(
      announcement => announcement !== undefined && this.gathered.push(announcement) === 1,
    );
    this.coming.add(arriving);
    const isFirst = await arriving.finally(() => this.coming.delete(arriving));
    if (!isFirst) return [];
    await delay(Math.min(GATHERED_FOR.least + untilPolled(), GATHERED_FOR.most));
    if (this.coming.size > 0)
      await Promise.race([Promise.allSettled([...this.coming]), delay(GATHERED_FOR.most)]);
    const all = this.gathered;
    this.gathered = [];
    return all;
  }
}
