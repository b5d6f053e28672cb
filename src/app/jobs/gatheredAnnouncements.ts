import type { JobAnnouncement } from './jobAnnouncement';

/** How long further ends are waited for. Milliseconds. */
const GATHERED_FOR = 1000;

/** Gathers announcements that come at once, such as those of jobs that the same response tells about. */
export class GatheredAnnouncements {
  private gathered: JobAnnouncement[] = [];

  constructor(private readonly delay: (milliseconds: number) => Promise<void>) {}

  /** All announcements that came within a moment of the first, for the caller that added it; none for the others. */
  async add(announcement: JobAnnouncement): Promise<readonly JobAnnouncement[]> {
    this.gathered.push(announcement);
    if (this.gathered.length > 1) return [];
    await this.delay(GATHERED_FOR);
    const all = this.gathered;
    this.gathered = [];
    return all;
  }
}
