"""What words of other languages in addresses and names of fields mean, so that whoever reads names has to know English alone."""
