# Reads CSV files with read.csv or read.csv2 and prints what it read as JSON.
# Arguments: rfc4180 or excel-eu, then the files.
arguments <- commandArgs(trailingOnly = TRUE)
kind <- arguments[1]

as_json <- function(column) {
  if (is.character(column)) {
    ifelse(is.na(column) | column == "", "null", encodeString(column, quote = "\""))
  } else if (is.logical(column) && !all(is.na(column))) {
    ifelse(is.na(column), "null", ifelse(column, "true", "false"))
  } else {
    ifelse(is.na(column), "null", sprintf("%.17g", as.numeric(column)))
  }
}

tables <- lapply(arguments[-1], function(path) {
  table <- if (kind == "excel-eu") read.csv2(path, fileEncoding = "UTF-8-BOM") else read.csv(path)
  header <- paste0("[", paste(encodeString(names(table), quote = "\""), collapse = ","), "]")
  lines <- do.call(paste, c(lapply(table, as_json), sep = ","))
  paste0(encodeString(path, quote = "\""), ":[", paste(c(header, paste0("[", lines, "]")), collapse = ","), "]")
})
cat("{", paste(tables, collapse = ","), "}", sep = "")
