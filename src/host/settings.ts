import type manifest from '../../package.json';
import type { Log } from '../base/log';

/** When to notify about finished jobs. */
export type NotificationLevel = 'all' | 'failures' | 'off';

const MEGABYTE = 1024 * 1024;

/**
 * The settings as valid values. Only package.json defines their types, defaults and limits. A value
 * of a wrong type counts as not set, and is logged once. A number beyond its limits is clamped.
 * Values are read each time, so a change needs no reload.
 */
export class Settings {
  private readonly reported = new Set<string>();

  constructor(
    private readonly reader: SettingsReader,
    private readonly declarations: SettingDeclarations,
    private readonly log: Log,
  ) {}

  /** The address that sign-in suggests; "" for none. */
  get baseUrl(): string {
    return this.get('baseUrl');
  }

  /** The folder on the service for uploads from a resource (a URI); "" for the root. */
  destinationFolder(resource?: string): string {
    return this.get('uploads.destinationFolder', resource);
  }

  get uploadConcurrency(): number {
    return this.get('uploads.concurrency');
  }

  get notifications(): NotificationLevel {
    return this.get('jobs.notifications') as NotificationLevel;
  }

  /** Interval in seconds. */
  get pollingInterval(): number {
    return this.get('jobs.pollingInterval');
  }

  get resultsCacheBytes(): number {
    return this.get('results.cacheSize') * MEGABYTE;
  }

  /** Memory for the columns of a table, in MB. */
  get tableMemory(): number {
    return this.get('table.memory');
  }

  /** All settings of a page. */
  ofPage<P extends SettingsPage>(page: P): PageSettings<P> {
    const prefix = `imageAnalysis.${page}.`;
    const keys = Object.keys(this.declarations)
      .filter(name => name.startsWith(prefix))
      .map(name => name.slice(prefix.length));
    const values = keys.map(key => [key, this.get(`${page}.${key}` as SettingName)]);
    return Object.fromEntries(values) as PageSettings<P>;
  }

  private get<N extends SettingName>(name: N, resource?: string): SettingValue<N> {
    const declared = this.declarations[`imageAnalysis.${name}`];
    const value = this.reader.read(name, resource);
    if (value === undefined) return declared.default as SettingValue<N>;
    if (!isOfType(value, declared)) {
      this.report(name, value, declared);
      return declared.default as SettingValue<N>;
    }
    return (typeof value === 'number' ? clamped(value, declared) : value) as SettingValue<N>;
  }

  private report(name: SettingName, value: unknown, { default: fallback }: SettingDeclaration): void {
    const text = `${name}: ${JSON.stringify(value)}`;
    if (this.reported.has(text)) return;
    this.reported.add(text);
    this.log.warn(
      `The setting imageAnalysis.${text} isn't valid; ${JSON.stringify(fallback)} is used instead`,
    );
  }
}

function isOfType(value: unknown, { default: fallback, enum: allowed }: SettingDeclaration): boolean {
  if (typeof value !== typeof fallback) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  return allowed === undefined || allowed.includes(value as string);
}

function clamped(value: number, { minimum, maximum }: SettingDeclaration): number {
  return Math.min(maximum ?? Number.POSITIVE_INFINITY, Math.max(minimum ?? Number.NEGATIVE_INFINITY, value));
}

type Properties = (typeof manifest)['contributes']['configuration']['properties'];

/** A setting's name without "imageAnalysis."; package.json declares them all. */
type SettingName = keyof Properties extends `imageAnalysis.${infer Name}` ? Name : never;

/** The type of a setting's default. */
type SettingValue<N extends SettingName> = Properties[`imageAnalysis.${N}`]['default'];

/** A page that receives settings: those whose names begin with the page's name. */
type SettingsPage = 'table' | 'masks';

/** The settings of a page, without its prefix: `opacity` for "imageAnalysis.masks.opacity". */
export type PageSettings<P extends SettingsPage> = {
  [N in SettingName as N extends `${P}.${infer Key}` ? Key : never]: SettingValue<N>;
};

/** The declaration of a setting in package.json. */
interface SettingDeclaration {
  default: unknown;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
}

/** The declarations of all settings: `contributes.configuration.properties` of package.json. */
export type SettingDeclarations = Readonly<Record<`imageAnalysis.${SettingName}`, SettingDeclaration>>;

/** Reads settings from the editor. */
export interface SettingsReader {
  /** The value for a resource (URI) or for the window, of any type; undefined if none is set. */
  read(name: SettingName, resource?: string): unknown;
}
