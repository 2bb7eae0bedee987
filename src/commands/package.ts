// The data package that ends a result folder, and the workbook where one is wanted.
import { addWorkbook, type PackageDescriptor, workbookName } from "../report/datapackage.js";
import type { ResultFolder } from "../report/folder.js";

/**
 * Writes the data package of CSV files that are complete, and the workbook of their rows.
 *
 * @returns a warning where there can be no workbook
 */
export async function writePackage(
  folder: ResultFolder,
  descriptor: PackageDescriptor,
  xlsx: boolean,
): Promise<string | undefined> {
  const workbook = xlsx ? await makeWorkbookOf(folder, descriptor) : undefined;
  if (workbook === undefined || "problem" in workbook) {
    await folder.writePackage(descriptor);
    return workbook && `warning: there is no ${workbookName}: ${workbook.problem}`;
  }
  await folder.write(workbookName, workbook.content);
  await folder.writePackage(addWorkbook(descriptor));
  return undefined;
}

/** Loads what makes workbooks, which few results need. */
async function makeWorkbookOf(folder: ResultFolder, descriptor: PackageDescriptor) {
  const { makeWorkbook } = await import("../report/workbook.js");
  return makeWorkbook(descriptor, (name) => folder.pathBeforePublished(name));
}
