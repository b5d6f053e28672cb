import type manifest from '../../package.json';

type Properties = (typeof manifest)['contributes']['configuration']['properties'];

/** A setting's name without "imageAnalysis."; package.json declares them all. */
export type SettingName = keyof Properties extends `imageAnalysis.${infer Name}` ? Name : never;

/** The type of a setting's default. */
export type SettingValue<N extends SettingName> = Properties[`imageAnalysis.${N}`]['default'];

/** What package.json says of a setting. */
export interface SettingDeclaration {
  default: unknown;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
}

/** The declarations of all settings: `contributes.configuration.properties` of package.json. */
export type SettingDeclarations = Readonly<Record<`imageAnalysis.${SettingName}`, SettingDeclaration>>;

/** Where the editor stores settings. */
export interface SettingsReader {
  /** The value that applies to a resource (a URI), or to the window; undefined where none is set. It may be of any type. */
  read(name: SettingName, resource?: string): unknown;
}
