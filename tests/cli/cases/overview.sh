# What is printed without a file: version, overview, mistakes in the first word.
tulle --version
tulle --help
tulle help
tulle; echo "exit $?"
tulle --frobnicate; echo "exit $?"
tulle frobnicate; echo "exit $?"
tulle help frobnicate; echo "exit $?"
