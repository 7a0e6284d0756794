// Arguments: the target's name, then libFuzzer's own.
Driver.run()
