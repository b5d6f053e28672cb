/** The resources of the service, in the spec's own names, after validation (see schemas.ts). Unknown fields are dropped. */

export interface CheckResult {
  user: string;
  email?: string;
  /** Spelled with three s by the service. */
  messsage?: string;
}

export interface FilesystemItem {
  id: string;
  /** `File`, `Folder`, or a kind that is not known yet. */
  __t: string;
  name?: string;
  createdAt?: string;
}

export interface Pipeline {
  id: string;
  description: string;
  createdAt?: string;
}

export interface AnalysisJob {
  id: string;
  status: string;
  /** Clamped to 0…100; 0 where the service sent nothing usable. */
  percentageCompleted: number;
  /** Not documented; kept when the service sends it. */
  name?: string;
  createdAt?: string;
  /** Not documented; why a job failed, in the service's words, when it sends any. Links in it are masked. */
  reason?: string;
  /** Result links are secrets: never logged, never shown, never stored. */
  objectsDataCSVUrl?: string;
  aggregateDataCSVUrl?: string;
}

export interface MasksJob {
  status: string;
  percentageCompleted: number;
  /** As for an analysis job. */
  reason?: string;
  masksZipUrl?: string;
}
