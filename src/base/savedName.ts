import { CodedError } from './errors';
import { reason } from './reasons';

/** Endings of other formats. Any other ending is part of the name, such as "plate.2026-11-28". */
const OTHERS = [
  /^(parquet|pq|feather|arrow|ipc|orc|avro|xlsx|xlsm|xlsb|xls|ods|numbers|json|jsonl|ndjson|geojson|xml|html|htm|yaml|yml|md|pdf|docx)$/,
  /^(sqlite|sqlite3|db|duckdb|h5|hdf5|hdf|zarr|npy|npz|mat|rds|rda|rdata|sav|dta|sas7bdat|pkl|pickle|fcs|arff)$/,
  /^(gz|bz2|xz|zst|7z|tar|tgz|rar|png|jpg|jpeg|tif|tiff|svg)$/,
];

/** Throws `bad-request` if a name has another format's ending, which would mislead programs. */
export function checkSavedName(path: string, written: 'CSV' | 'zip'): void {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const misleading = [...OTHERS, written === 'CSV' ? /^zip$/ : /^[ct]sv$/];
  if (ending === undefined || !misleading.some(other => other.test(ending))) return;
  throw new CodedError('bad-request', `A ${written} file can't be called ${name}`, {
    subject: name,
    reason: reason(
      'A file whose name ends in {0} is of another format than {1}, which is saved',
      `.${ending}`,
      written === 'CSV' ? 'CSV (.csv, .tsv)' : 'zip (.zip)',
    ),
  });
}
