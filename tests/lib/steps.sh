# Runs the steps of tests/run, counts their tests and prints the closing line.
#
# In: step names, budgets and commands. Out: on stdout the steps' own output,
# the seconds of each and, as the very last line, `N passed, N failed`; an exit
# status that is zero only if nothing failed. It must not know what the steps
# are. tests/run-selftest feeds it fake ones.
#
#   source tests/lib/steps.sh
#   step NAME BUDGET_SECONDS READER COMMAND…
#   needed                     # stop here if the last step failed
#   finish                     # always the last call
#
# READER says how the command reports its tests:
#   none      it runs none: success adds nothing, failure adds 1 failed
#   nextest   cargo-nextest's summary
#   libtest   the summaries of `cargo test`, added up
#   closing   a last line `N passed, N failed`
#
# A command that promises a summary and gives none, ends with an error that its
# summary does not account for, runs no test at all, or skips one, adds 1 failed
# for that: what did not run has not passed.

# shellcheck shell=bash
set -euo pipefail

passed=0
failed=0
step_failed=no
steps_finished=no
steps_log=$(mktemp)
# The closing line comes even when the script that sources this one dies.
trap 'steps_at_exit $?' EXIT

steps_at_exit() {
  rm -f "$steps_log"
  if [ "$steps_finished" != yes ]; then
    echo "stopped before the end (status $1)"
    echo "$passed passed, $((failed + 1)) failed"
    exit 1
  fi
}

finish() {
  steps_finished=yes
  echo
  echo "$((SECONDS / 60)) min $((SECONDS % 60)) s in all"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] || exit 1
  exit 0
}

needed() {
  if [ "$step_failed" = yes ]; then
    echo
    echo "Nothing after this step can work without it: the rest was not run."
    finish
  fi
}

# step NAME BUDGET_SECONDS READER COMMAND…
# COMMAND is a program: in a function `set -e` would have no effect here.
step() {
  local name=$1 budget=$2 reader=$3 status began=$SECONDS seconds before=$failed
  shift 3
  echo
  echo "== $name"
  # No step gets a stdin: CI has none, and nothing may wait for an answer.
  if "$@" </dev/null 2>&1 | tee "$steps_log"; then
    status=0
  else
    status=${PIPESTATUS[0]}
    # Only tee failed: the log is not whole.
    [ "$status" -ne 0 ] || status=1
  fi
  count "$name" "$reader" "$status"
  if [ "$failed" -gt "$before" ]; then step_failed=yes; else step_failed=no; fi
  seconds=$((SECONDS - began))
  if [ "$seconds" -gt "$budget" ]; then
    echo "-- $name: $seconds s, OVER its budget of $budget s"
  else
    echo "-- $name: $seconds s"
  fi
}

# Adds what the log of a step says to the sums.
count() {
  local name=$1 reader=$2 status=$3 summary ok=0 bad=0 skipped=0
  if [ "$reader" = none ]; then
    if [ "$status" -ne 0 ]; then
      failed=$((failed + 1))
      echo "-- $name: FAILED with status $status"
    fi
    return
  fi

  case $reader in
    nextest)
      summary=$(grep -E '^ *Summary \[.*tests? run: ' "$steps_log") || true
      ok=$(number_before ' passed' "$summary")
      bad=$(($(number_before ' failed' "$summary") + $(number_before ' exec failed' "$summary") +
        $(number_before ' timed out' "$summary")))
      skipped=$(number_before ' skipped' "$summary")
      ;;
    libtest)
      summary=$(grep -E '^test result: ' "$steps_log") || true
      ok=$(number_before ' passed' "$summary")
      bad=$(number_before ' failed' "$summary")
      skipped=$(($(number_before ' ignored' "$summary") + $(number_before ' filtered out' "$summary")))
      ;;
    closing)
      summary=$(tail -n 1 "$steps_log" | grep -E '^[0-9]+ passed, [0-9]+ failed$') || true
      ok=$(number_before ' passed' "$summary")
      bad=$(number_before ' failed' "$summary")
      ;;
    *)
      summary=
      ;;
  esac
  passed=$((passed + ok))
  failed=$((failed + bad))

  if [ -z "$summary" ]; then
    failed=$((failed + 1))
    echo "-- $name: FAILED, it ended with status $status and no summary of its tests"
  elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
    failed=$((failed + 1))
    echo "-- $name: FAILED with status $status after its tests"
  elif [ "$ok" -eq 0 ] && [ "$bad" -eq 0 ] && [ "$reader" != libtest ]; then
    # A workspace without documentation tests is fine; elsewhere a sum of zero
    # means that the tests were not found.
    failed=$((failed + 1))
    echo "-- $name: FAILED, it ran no test"
  fi
  if [ "$skipped" -ne 0 ]; then
    failed=$((failed + 1))
    echo "-- $name: FAILED, $skipped tests were skipped; here a test runs or fails"
  fi
}

# The sum of the numbers that stand before WORDS in a text, 0 if there are none.
number_before() {
  local words=$1 text=$2 sum=0 number
  while read -r number; do
    sum=$((sum + 10#$number))
  done < <(grep -oE "[0-9]+$words" <<<"$text" | grep -oE '^[0-9]+')
  echo "$sum"
}
