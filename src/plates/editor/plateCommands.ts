import * as vscode from 'vscode';
import { namedColumn, optionalFilters } from '../../columns/namedFilter';
import { command } from '../../host/editor/command';
import { pathOnDisk } from '../../host/editor/uriOptions';
import { oneOf, type Option, optional, optionalFlag, optionalOneOf, texts } from '../../host/options';
import {
  type ProgramTableDependencies,
  programTables,
  tableOptions,
} from '../../session/editor/programTables';
import { namedWellMeasure, savePlateAsProgram } from '../node/platePrograms';
import { shownAs, wellStatisticIds } from '../plates';

/** A condition or a well, or several of them. */
const controls: Option<string[]> = {
  expected: 'a condition or the name of a well, or an array of them',
  read: value => texts.read(typeof value === 'string' ? [value] : value),
};

/** Null if all images are of one plate. */
const plate: Option<string | number | null> = {
  expected: `${namedColumn.expected}, or null`,
  read: value => (value === null ? { value } : namedColumn.read(value)),
};

/** Plate functions for programs. */
export function plateCommands({ sessions, results }: ProgramTableDependencies) {
  const withTable = programTables({ sessions, results }, 'plates');
  return {
    savePlate: command({
      options: {
        ...tableOptions,
        plate: optional(plate),
        well: optional(namedColumn),
        negative: optional(controls),
        positive: optional(controls),
        measure: namedWellMeasure,
        statistic: optional(oneOf(wellStatisticIds)),
        as: optionalOneOf(shownAs),
        filters: optionalFilters,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: call => withTable(call, (table, saved) => savePlateAsProgram(vscode.l10n.t, table, saved)),
    }),
  };
}
